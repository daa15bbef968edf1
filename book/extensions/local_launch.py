"""Sphinx extension: launch buttons open the editions, and there are none without an address.

The theme stops with an error when it is told where to launch notebooks but not where they are.
This leaves the buttons out instead, so that one line in _config.yml, the address, brings them.
"""


def drop_without_address(app, config):
    """Forget the launch buttons if the book's repository has no address."""
    options = config.html_theme_options
    if not options.get("repository_url"):
        options.pop("launch_buttons", None)


def open_the_edition(app, pagename, templatename, context, doctree):
    """Let each launch button open the reading edition: a chapter is MyST, which nobody renders."""
    for group in context["header_buttons"]:
        if group.get("label") == "launch-buttons":
            for button in group["buttons"]:
                edition = f"{pagename}.ipynb".replace("chapters/", "notebooks/editions/")
                button["url"] = button["url"].replace(f"{pagename}.ipynb", edition)


def setup(app):
    """Register the steps."""
    app.connect("config-inited", drop_without_address)
    app.connect("html-page-context", open_the_edition, priority=502)  # the theme's are at 501
    return {"parallel_read_safe": True, "parallel_write_safe": True}
