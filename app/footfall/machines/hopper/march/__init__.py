"""The hopper in compiled code, by small steps: many thousand jumps a second for searches."""
