"""The humanoid walker of the thesis: four phases of gait, two controllers."""
