"""The equations of the hopper, which know no engine and no Drake."""
