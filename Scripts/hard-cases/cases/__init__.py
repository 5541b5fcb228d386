"""The cases, a module for each kind."""
