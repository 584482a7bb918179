"""Closed forms from textbooks, which engines are held against. They know no engine and no Drake."""
