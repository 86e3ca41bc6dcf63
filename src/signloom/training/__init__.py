"""Training on Lightning: recipes, module, callbacks, the run itself."""
