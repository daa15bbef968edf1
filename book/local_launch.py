"""Sphinx extension: no launch buttons while the address of the repository is not set.

The theme stops with an error when it is told where to launch notebooks but not where they are.
This leaves the buttons out instead, so that one line in _config.yml, the address, brings them.
"""


def drop_without_address(app, config):
    """Forget the launch buttons if the book's repository has no address."""
    options = config.html_theme_options
    if not options.get("repository_url"):
        options.pop("launch_buttons", None)


def setup(app):
    """Register the step."""
    app.connect("config-inited", drop_without_address)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
