"""The verification suite: every engine against closed forms, problem by problem.

``cases`` holds the problems, ``runner`` runs them. Nothing here knows more of an engine than
anybody's scenario does.
"""

from footfall.verify.case import Case, CaseCurve, Quantity, quantity

__all__ = ["Case", "CaseCurve", "Quantity", "quantity"]
