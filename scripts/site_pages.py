"""What the site of the documentation has besides docs/: pages from other folders, files that pages link to, the tutorial notebook.

It is a hook of MkDocs (mkdocs.yml).
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
PAGES = {
    "CHANGELOG.md": "changes.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "benchmarks/results.md": "benchmarks.md",
    "examples/tutorial.ipynb": "tutorial.md",
}
OUTPUTS = "docs/pictures/tutorial"  # of the notebook
LABELS = {".svg": "What the cell shows", ".jpg": "The replay, of which this is a picture"}
ICON = "web/public/icon.svg"
LANGUAGES = {".py": "python", ".mjs": "javascript", ".yaml": "yaml", ".service": "ini", ".template": "nginx"}
FOREIGN_WORKER, OWN_WORKER = "https://unpkg.com/iframe-worker/shim", "site-worker.js"
LINK = re.compile(r"(\]\()(?!https?:|#|mailto:)([^)#\s]+)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for source, page in PAGES.items():
        files.append(File.generated(config, page, content=text_of(source)))
    for source in sorted(linked_files()):
        files.append(File.generated(config, page_of(source), content=listing(source)))
    files.append(File.generated(config, "icon.svg", abs_src_path=str(ROOT / ICON)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001  # what MkDocs passes
    """Links lead to where things are in the site."""
    return LINK.sub(lambda found: found[1] + in_site(found[2], page.file.src_uri), markdown)


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:  # noqa: ARG001  # what MkDocs passes
    return with_own_worker(output, page.url)


def on_post_template(output_content: str, template_name: str, config: MkDocsConfig) -> str:  # noqa: ARG001
    return with_own_worker(output_content, template_name) if template_name.endswith(".html") else output_content


def with_own_worker(text: str, address: str) -> str:
    """The theme would fetch what it needs to search on a disk from another host."""
    if FOREIGN_WORKER not in text:
        raise PluginError(f"{address}: the theme no longer asks for {FOREIGN_WORKER}: see what it does instead")
    return text.replace(FOREIGN_WORKER, "../" * address.count("/") + OWN_WORKER)


def in_site(target: str, page: str) -> str:
    source = posixpath.normpath(posixpath.join(folder_of(page), target))
    if source in PAGES:
        return PAGES[source]
    if source.startswith("docs/"):
        return source.removeprefix("docs/")
    return page_of(source) if (ROOT / source).is_file() and not page.startswith("files/") else target


def folder_of(page: str) -> str:
    """Where a page of the site comes from."""
    sources = {made: source for source, made in PAGES.items()}
    return posixpath.dirname(sources[page]) if page in sources else "docs"


def page_of(source: str) -> str:
    return f"files/{source}.md"


def linked_files() -> set[str]:
    """Files outside docs/ that its pages link to, and that are not pages themselves."""
    found = set()
    for path in (ROOT / "docs").glob("*.md"):
        for _, target in LINK.findall(path.read_text(encoding="utf-8")):
            source = posixpath.normpath(posixpath.join("docs", target))
            if not source.startswith("docs/") and source not in PAGES and (ROOT / source).is_file():
                found.add(source)
    return found


def text_of(source: str) -> str:
    text = (ROOT / source).read_text(encoding="utf-8")
    return from_notebook(json.loads(text)) if source.endswith(".ipynb") else text


def from_notebook(notebook: dict[str, Any]) -> str:
    """Its text and code, and what its cells show."""
    parts = []
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(text)
        else:
            parts += [f"```python\n{text}\n```", *shown_by(cell["id"])]
    return "\n\n".join(parts) + "\n"


def shown_by(cell: str) -> Iterator[str]:
    """The notebook is kept without outputs: scripts/tutorial_outputs.py keeps them here. Texts come first, as they are printed first."""
    for path in sorted((ROOT / OUTPUTS).glob(f"{cell}.*"), key=lambda path: path.suffix != ".txt"):
        if path.suffix == ".txt":
            yield f"``` {{ .text .no-copy .output }}\n{path.read_text(encoding='utf-8')}```"
        else:
            yield f"![{LABELS[path.suffix]}](../{OUTPUTS}/{path.name})"


def listing(source: str) -> str:
    code = (ROOT / source).read_text(encoding="utf-8").rstrip("\n")
    return f"---\nsearch:\n  exclude: true\n---\n\n# {source}\n\n````{LANGUAGES.get(Path(source).suffix, 'text')}\n{code}\n````\n"
