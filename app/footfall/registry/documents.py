"""Documents that several machines come from."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Document:
    """Document: its citation as a whole, and its BibTeX entry."""

    whole: str
    bibtex: str

    def part(self, which: str) -> str:
        """Return how a part of it is cited."""
        return f"{self.whole}, {which}."


TULIP = Document(
    "J. Kanehara, report of the Open Space Project in project TUlip (Dutch Robotics, Teen-Size "
    "Humanoid League), TU Eindhoven, 2009",
    """@techreport{kanehara2009tulip,
  author      = {Kanehara, Junichi},
  title       = {Report of the Open Space Project in project {TUlip}: goalkeeper, gearbox and a
                 4-link biped robot with {Coulomb} friction},
  institution = {Eindhoven University of Technology, Dutch Robotics},
  year        = {2009}
}""",
)
MECHANISMS = Document(
    "E. Corral, J. Meneses, J. C. Garcia-Prada, Forward and inverse dynamics and quasi-static "
    "analysis of mechanizes with MATLAB, InTech 2016, doi 10.5772/63372",
    """@incollection{corral2016forward,
  author    = {Corral, E. and Meneses, J. and Garc{\\'i}a-Prada, J. C.},
  title     = {Forward and Inverse Dynamics and Quasi-Static Analysis of Mechanizes with {MATLAB}},
  publisher = {InTech},
  year      = {2016},
  doi       = {10.5772/63372}
}""",
)
