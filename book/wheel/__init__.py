"""How the project becomes one package, `measuring`: the build backend, and how it renames."""
