"""The equations of the goalkeeper, which know no engine and no Drake."""
