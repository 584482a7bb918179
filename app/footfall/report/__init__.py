"""Reports: one self-contained HTML page about one scenario or several, in one engine or several."""

from footfall.report.page import write_reports
from footfall.report.section import RunLike, Section, read_section, read_sections

__all__ = ["RunLike", "Section", "read_section", "read_sections", "write_reports"]
