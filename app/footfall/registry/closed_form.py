"""Check that a model has nothing that its closed form leaves out."""

from collections.abc import Sequence

from footfall.errors import ModelError
from footfall.plants.contacts import ContactSet
from footfall.plants.coordinates import joint_damping
from footfall.plants.loading.load import Model
from footfall.plants.motors import reflected_inertias


def require_nothing_besides(
    model: Model, contacts: ContactSet, machine: str, points: Sequence[str], called: str
) -> None:
    """Raise ModelError for a model with something that would move it otherwise than a closed form.

    machine, called: what the machine and its points of contact are called in the message.
    """
    besides = {
        "damped joints": joint_damping(model.plant).any(),
        "motors with inertia or limits": is_motored(model),
        "joint limits": len(contacts.limits) > 0,
        "dry friction in joints": len(contacts.frictions) > 0,
        f"contacts besides {called}": set(contacts.names[: contacts.num_touching]) != set(points),
    }
    for what, there in besides.items():
        if there:
            raise ModelError(
                f"engine hybrid: {machine} in closed form has no {what}, but this model has: take "
                "them out, or choose moreau or drake."
            )


def is_motored(model: Model) -> bool:
    """Return True where a scenario or a file gives a model motors that its equations feel."""
    return bool(model.spec.motors) or bool(reflected_inertias(model.plant))
