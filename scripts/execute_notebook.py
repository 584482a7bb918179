"""Execute the notebook that ships and keep what it shows: texts, tables and pictures.

    python scripts/execute_notebook.py            docs/guides/notebook.ipynb, in its place

Pages and frames of viewers are left out of what is kept: they are megabytes, or need a server; a
notebook that is run shows them. Needs the extra ``notebook``.
"""

import re
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).resolve().parents[1] / "docs" / "guides" / "notebook.ipynb"
_SECONDS = 300  # for a cell
_OBJECT = re.compile(r" at 0x[0-9a-f]+")


def execute(path: Path) -> Any:  # noqa: ANN401 (nbformat has no types)
    """Run all cells of a notebook in its folder; raises CellExecutionError for one that fails."""
    book = nbformat.read(path, as_version=4)
    NotebookClient(book, timeout=_SECONDS, kernel_name="python3").execute(cwd=str(path.parent))
    return book


def cleaned(book: Any) -> Any:  # noqa: ANN401 (as above)
    """Take out of an executed notebook what is large, or differs from machine to machine."""
    book.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}
    }
    for cell in book.cells:
        cell.metadata = {}
        if cell.cell_type != "code":
            continue
        cell.outputs = [output for output in cell.outputs if output.output_type != "stream"]
        for output in cell.outputs:
            data = output.get("data", {})
            if data.get("text/html", "").startswith("<iframe"):
                del data["text/html"]
            if "text/plain" in data:
                data["text/plain"] = _OBJECT.sub("", data["text/plain"])
            output.metadata = {}
    return book


def main() -> None:
    """Execute, clean and write it."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else NOTEBOOK
    nbformat.write(cleaned(execute(path)), path)
    print(f"notebook: {path}")


if __name__ == "__main__":
    main()
