"""The equations of the biped, which know no engine and no Drake."""
