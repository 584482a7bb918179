"""Drake's warnings about a model, in words that say what follows from them.

Source: the warnings of Drake 1.51 and 1.58, of its parsers of URDF, SDFormat and MJCF.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from footfall.plants.loading.physics_tags import KNOWN

_PLACE = re.compile(r"(?P<file>/.+?\.\w+(?::\d+)?): (?:warning: )?(?P<what>.*)", re.IGNORECASE)
_SHORT = 200  # characters of a warning that nobody here knows


@dataclass(frozen=True)
class ModelWarnings:
    """Warnings of Drake about a model, and notes on what is left out of its files.

    known: one line for each kind, with the first place and the number of others. unknown:
    Drake's own words where nobody here knows the kind. raw: all of Drake's words, for a log.
    """

    known: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    raw: tuple[str, ...] = ()

    def lines(self) -> tuple[str, ...]:
        """Return what a user is told: the known kinds, and how much there is besides."""
        if not self.unknown:
            return self.known
        many = f"{len(self.unknown)} more warnings" if len(self.unknown) > 1 else "1 more warning"
        return (*self.known, f"Drake has {many} about the model, which --verbose shows")


NO_WARNINGS = ModelWarnings()


def warnings_of(warnings: Iterable[str], notes: Sequence[str] = ()) -> ModelWarnings:
    """Sort what Drake said of a model, which may say the same several times.

    notes: what else is to be told, before it, of places whose folders are not.
    """
    notes = [re.sub(r"^/.*?([^/:]+:\d+: )", r"\1", note) for note in notes]
    raw = tuple(dict.fromkeys(warnings))
    places: dict[str, list[str]] = {}
    unknown = []
    for warning in raw:
        match = _PLACE.match(warning)
        where = Path(match["file"]).name if match else ""
        what = _in_words(match["what"] if match else warning)
        if what is None:
            unknown.append(warning if len(warning) <= _SHORT else warning[:_SHORT] + " ...")
        elif what:
            places.setdefault(what, []).append(where)
    known = [_folded(what, at) for what, at in places.items()]
    return ModelWarnings((*notes, *known), tuple(unknown), raw)


def _folded(what: str, places: list[str]) -> str:
    """One line for a warning that was given in some places."""
    first, others = places[0], len(places) - 1
    more = f" (and {others} more of the kind)" if others else ""
    return f"{first}: {what}{more}" if first else f"{what}{more}"


def _in_words(warning: str) -> str | None:
    """Say what follows from a warning; empty if nothing does, None if nobody here knows it."""
    for pattern, words in _KINDS:
        match = re.search(pattern, warning)
        if match:
            return match.expand(words) if words else ""
    return None


# tags and attributes of MJCF without effect on the motion
_DRAWN = (
    "light|site|sensor|visual|statistic|custom|size|camera|skin|texture|user|group|rgba|material|"
    "keyframe_time|nuser_\\w+|memory|flag|frame|plugin|extension|inheritrange|fovy|mode|target"
)
_SOLVER = (
    "timestep|integrator|cone|solver|iterations|tolerance|ls_\\w+|noslip_\\w+|impratio|jacobian|"
    "sol\\w+|o_\\w+|njmax|nconmax|nstack|margin|gap|priority|solmix"
)
_TOLD = "|".join(sorted(KNOWN))  # by physics_tags, or taken over
# by a pattern of the warning, first come first served; empty words: nothing follows from it
_KINDS = (
    (rf"SDFormat element (?:in \w+: )?(?:{_TOLD}|{_DRAWN})\b", ""),
    (
        r"unsupported SDFormat element in (?P<parent>\w+): (?P<tag>\S+)",
        r"<\g<tag>> in <\g<parent>> is left out",
    ),
    (
        r"<transmission> has a type that isn't",
        "a <transmission> is of another type than SimpleTransmission: its actuator is left out",
    ),
    (
        r"[Ss]kipping transmission since it's attached to .*?joint [\"'](?P<joint>[^\"']+)",
        r"the actuator of joint '\g<joint>' is left out: give it an effort limit above 0",
    ),
    (r"effort limit.*ignored|ignoring.*effort limit", "an effort limit is left out"),
    (
        r"'coulomb_window'|'group' attribute on the <collision>|drake_compliance|youngs_modulus",
        "",
    ),
    (
        r"Joint '(?P<joint>[^']*)' specified as type floating",
        r"joint '\g<joint>' is floating: its link is free in space",
    ),
    (r"specifies a (?:drake:)?mimic element that will be ignored", ""),  # read by file_constraints
    (
        r"only supports the (?:drake:)?mimic element for single-dof joints",
        "a mimic joint turns by itself: Drake couples joints with one coordinate alone",
    ),
    (
        r'declared the "world" link and then attempted to assign mass',
        "mass and inertia of the link 'world' are left out",
    ),
    (
        r"Actuation .*for (?P<kind>ball|universal) joint '(?P<joint>[^']*)' is not implemented",
        r"the actuator of the \g<kind> joint '\g<joint>' is left out",
    ),
    (
        r"Joint damping must be equal for both axes for joint (?P<joint>\S+?)\.",
        r"joint '\g<joint>' is damped in both axes as in its first",
    ),
    (r"<ode><mu\*> tags are ignored", ""),
    (r"has its own materials, but material properties have been defined", ""),
    (r"diffuse_map|texture|mtllib", ""),
    # MJCF
    (r"camera element ignored|The texture element is not supported", ""),
    (
        r"geom \S+ specified condim=(?P<dim>\d+)",
        r"condim \g<dim>: contacts have Coulomb friction in their plane, as of condim 3",
    ),
    (
        r"torsional and rolling friction",
        "torsional and rolling friction of contacts is left out",
    ),
    (
        r"[Tt]he motor '(?P<motor>[^']*)' does not use the 'joint'",
        r"actuator '\g<motor>' drives no joint and is left out",
    ),
    (
        r"[Tt]he motor '(?P<motor>[^']*)' specified a (?P<range>ctrlrange|forcerange).* != -upper",
        r"actuator '\g<motor>': the larger end of its \g<range> holds on both sides",
    ),
    (
        r"Damping was specified for the 'free' joint (?P<joint>\S+),",
        r"damping of the free joint '\g<joint>' is left out",
    ),
    (
        r"specified contype=\d+ and conaffinity=\d+",
        "contype and conaffinity are left out: shapes collide unless an <exclude> parts them",
    ),
    (
        r"geom type '(?P<kind>\w+)' is currently unsupported",
        r"<geom type=\"\g<kind>\"> is left out",
    ),
    (
        r"fromto tag for (?P<kind>\w+) is currently unsupported; geom (?P<geom>\S+) will",
        r"geom '\g<geom>', a \g<kind> with fromto, is left out",
    ),
    (
        r"geom (?P<geom>\S+) specified unknown mesh (?P<mesh>\S+)",
        r"geom '\g<geom>' is left out: there is no mesh '\g<mesh>'",
    ),
    (
        r"geom (?P<geom>\S+) specified type '(?P<kind>[^']*)' but also has a mesh",
        r"geom '\g<geom>' is a \g<kind> of its own size, not that of its mesh",
    ),
    (rf"The tag '(?:{_DRAWN})' found as a child", ""),
    (rf"The attribute '(?:{_DRAWN}|{_SOLVER})' found in a", ""),
    (rf"The attribute '(?:{_TOLD})' found in a '(?:joint|geom)'", ""),
    (
        r"The tag 'keyframe' found as a child",
        "<keyframe> is left out: give a posture by initial.positions",
    ),
    (
        r"The tag '(?P<tag>[^']*)' found as a child of '(?P<parent>[^']*)'",
        r"<\g<tag>> in <\g<parent>> is left out",
    ),
    (
        r"The attribute '(?P<name>[^']*)' found in a '(?P<tag>[^']*)' tag",
        r"\g<name> of <\g<tag>> is left out",
    ),
)
