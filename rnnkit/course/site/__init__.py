"""Lectures and exercises as pages and slides that work without a network."""

from rnnkit.course.execution import cache_folder, executed
from rnnkit.course.site.export import Exported, export_site, export_slides

__all__ = ["Exported", "cache_folder", "executed", "export_site", "export_slides"]
