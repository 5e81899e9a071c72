"""Print the schemas of the server's OpenAPI document, the source of the page's types: `python scripts/openapi.py > web/openapi.json`."""

import json

from branchline.server.app import create_app

# the page uses the schemas by name, never the paths: leaving those out halves its types
print(json.dumps(create_app().openapi() | {"paths": {}}, indent=1, sort_keys=True))
