"""Coefficients of a contact for the laws: the columns of a table with one row a contact.

MU: Coulomb's coefficient while sliding, along t. MU_STATIC: while at rest, not below MU. SIDE: the
coefficient along s over that along t; 1 is isotropic friction. E_N, E_T: normal and tangential
restitution. PRELOAD [N]: normal force that a dry joint is given; 0 for contacts, whose normal
impulse is sought.
"""

MU = 0
MU_STATIC = 1
SIDE = 2
E_N = 3
E_T = 4
PRELOAD = 5
COLUMNS = 6
