"""Reports: one self-contained HTML page about runs of scenarios, or about an analysis."""

from footfall.report.analysis_page import answers_of, write_analysis_page
from footfall.report.page import write_reports
from footfall.report.section import Section, read_section, read_sections, section_of

__all__ = [
    "Section",
    "answers_of",
    "read_section",
    "read_sections",
    "section_of",
    "write_analysis_page",
    "write_reports",
]
