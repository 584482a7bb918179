"""An actuator for every joint with an effort limit, whatever transmissions a URDF has."""

from xml.dom.minidom import Element

from footfall.plants.repair.dom import Urdf, children_of

_DRIVEN = ("revolute", "continuous", "prismatic")
_SIMPLE = "SimpleTransmission"  # the one type that Drake reads, with whatever before it
_TYPE = f"transmission_interface/{_SIMPLE}"


def add_actuators(urdf: Urdf) -> int:
    """Give joints with an effort limit that no transmission drives an actuator of their name.

    Joints that mimic others have none: those move them. Transmissions of types that Drake passes
    over go. Returns how many actuators were added.
    """
    driven = _driven(urdf)
    added = 0
    for joint in children_of(urdf.root, "joint"):
        name = joint.getAttribute("name")
        efforts = [limit.getAttribute("effort") for limit in children_of(joint, "limit")]
        of_its_own = joint.getAttribute("type") in _DRIVEN and not children_of(joint, "mimic")
        if name in driven or not of_its_own or not any(map(_is_positive, efforts)):
            continue
        kind = urdf.element("type")
        kind.appendChild(urdf.document.createTextNode(_TYPE))
        parts = (kind, urdf.element("joint", name=name), urdf.element("actuator", name=name))
        urdf.root.appendChild(urdf.element("transmission", parts, name=f"{name}_drive"))
        urdf.root.appendChild(urdf.document.createTextNode("\n"))
        urdf.note(f"joint '{name}': an actuator of its name, as it has an effort limit.")
        added += 1
    return added


def _driven(urdf: Urdf) -> set[str]:
    """Joints that Drake finds an actuator for; takes out the transmissions that it passes over."""
    driven: set[str] = set()
    for transmission in children_of(urdf.root, "transmission"):
        joints = [joint.getAttribute("name") for joint in children_of(transmission, "joint")]
        if _kind(transmission).endswith(_SIMPLE) and children_of(transmission, "actuator"):
            driven |= set(joints[:1])
            continue
        urdf.root.removeChild(transmission)
        urdf.note(f"transmission of {', '.join(joints)} left out: Drake reads only {_SIMPLE}.")
    return driven


def _kind(transmission: Element) -> str:
    """The type of a transmission: text of a tag, or an attribute in old files."""
    texts = [
        child.nodeValue or ""
        for kind in children_of(transmission, "type")
        for child in kind.childNodes
        if child.nodeType == child.TEXT_NODE
    ]
    return "".join(texts).strip() or transmission.getAttribute("type")


def _is_positive(text: str) -> bool:
    try:
        return float(text) > 0.0
    except ValueError:
        return False
