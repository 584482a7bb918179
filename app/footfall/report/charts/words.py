"""Words of matplotlib, whose formulas stand between dollar signs, as plain text."""

# ruff: noqa: RUF001 (letters that look like others are what is asked for)

import re

from footfall.report.charts.looks import NotAChart

_SIGNS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "theta": "θ", "lambda": "λ", "mu": "µ",
    "omega": "ω", "phi": "φ", "pi": "π", "sigma": "σ", "tau": "τ", "Delta": "Δ", "Sigma": "Σ",
    "cdot": "·", "times": "×", "leq": "≤", "geq": "≥", "circ": "°",
}  # fmt: skip
_LOW = str.maketrans("0123456789+-=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ")
_HIGH = str.maketrans(
    "0123456789+-=()abcdefghijklmnoprstuvwxyz", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ"
)
_FORMULA = re.compile(r"\$([^$]*)\$")
_NAME = re.compile(r"\\([A-Za-z]+)")
_UPRIGHT = re.compile(r"\\math(?:rm|it|bf)\{([^{}]*)\}")
_RAISED = re.compile(r"([_^])(?:\{([^{}]*)\}|(\w))")


def in_words(text: str) -> str:
    """Return a text whose formulas are letters; NotAChart where that cannot be."""
    return _FORMULA.sub(lambda found: _letters(found[1]), text)


def _letters(formula: str) -> str:
    plain = _UPRIGHT.sub(r"\1", formula)
    plain = _RAISED.sub(_moved, _NAME.sub(_sign, plain))
    if set(plain) & set("\\{}_^"):
        raise NotAChart(f"formula {formula}")
    return plain


def _sign(found: re.Match[str]) -> str:
    if found[1] not in _SIGNS:
        raise NotAChart(f"\\{found[1]} in a formula")
    return _SIGNS[found[1]]


def _moved(found: re.Match[str]) -> str:
    """Return an index or an exponent in its letters."""
    text, letters = found[2] or found[3], _LOW if found[1] == "_" else _HIGH
    if any(ord(letter) not in letters for letter in text):
        raise NotAChart(f"{found[0]} in a formula")
    return text.translate(letters)
