"""Warnings of Drake's that need no action, because footfall handles what they are about."""

import logging

_ANSWERED = (
    "does not currently support non-zero joint friction",  # footfall reads it: xml_friction
    "is currently unsupported and will be ignored",  # judged by urdf_tags
    "half spaces are not currently supported for deformable",  # footfall has no such bodies
    "Drake's Meshcat only supports Mesh/Convex",  # collision shapes are shown instead
)


class _Answered(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        text = record.getMessage()
        return not any(remark in text for remark in _ANSWERED)


_FILTER = _Answered()


def silence_answered_warnings() -> None:
    """Let Drake's logger pass over these warnings; asking for it again does nothing."""
    logging.getLogger("drake").addFilter(_FILTER)
