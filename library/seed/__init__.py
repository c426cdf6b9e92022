"""The content that comes with the package: templates by field and topic, the tags they may use, and generators."""
