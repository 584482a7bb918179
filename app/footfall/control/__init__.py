"""Controllers as scenarios describe them: dataclasses that wire systems to a machine."""
