"""Controllers as Drake systems, one a file; each drives any engine with the ports of a plant."""
