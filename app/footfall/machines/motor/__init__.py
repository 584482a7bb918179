"""A motor that turns a load through a gear: part I.ii of the TUlip report."""
