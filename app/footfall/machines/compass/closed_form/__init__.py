"""The equations of the compass, which know no engine and no Drake."""
