"""A stand-in for a controller that several diagrams use, which a system cannot be part of."""

from pydrake.systems.framework import BasicVector, Context, LeafSystem, PortDataType, System


def has_state(system: System) -> bool:
    """Return whether a system has state, or updates something at times of its own."""
    context = system.CreateDefaultContext()
    return (
        context.num_continuous_states() > 0
        or context.num_discrete_state_groups() > 0
        or context.num_abstract_states() > 0
    )


class StandIn(LeafSystem):
    """Sends what another system sends, which has no state, at the same time and inputs.

    Inputs, all of them vectors, and outputs that are vectors are those of the system, by name. The
    system is asked in a context of its own and stays outside of the diagram.
    """

    def __init__(self, system: System) -> None:
        """Take the ports of a system without state."""
        super().__init__()
        self._system = system
        self._asked = system.CreateDefaultContext()
        self._inputs = []
        for k in range(system.num_input_ports()):
            port = system.get_input_port(k)
            own = self.DeclareVectorInputPort(port.get_name(), port.size())
            self._inputs.append((own, port))
        for k in range(system.num_output_ports()):
            self._declare_output(k)

    def _declare_output(self, index: int) -> None:
        port = self._system.get_output_port(index)
        if port.get_data_type() != PortDataType.kVectorValued:
            return

        def calc(context: Context, output: BasicVector) -> None:
            self._asked.SetTime(context.get_time())
            for own, its in self._inputs:
                its.FixValue(self._asked, own.Eval(context))
            output.SetFromVector(port.Eval(self._asked))

        self.DeclareVectorOutputPort(port.get_name(), port.size(), calc)
