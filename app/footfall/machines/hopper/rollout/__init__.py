"""The hopper's jump in compiled code, by fixed steps: many thousand jumps a second for searches."""
