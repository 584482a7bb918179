"""Walking on feet: gait schedule, footsteps, a plan of the zero-moment point, and feedback."""
