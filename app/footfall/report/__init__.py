"""Reports: one self-contained HTML page for one scenario or several, each run by one engine or several."""

from footfall.report.page import write_report, write_reports
from footfall.report.section import RunLike, Section, read_section

__all__ = ["RunLike", "Section", "read_section", "write_report", "write_reports"]
