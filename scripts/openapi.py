"""Print the schemas of the server's OpenAPI document, the source of the page's types: `python scripts/openapi.py > web/openapi.json`."""

import json

from branchline.server.app import create_app

# the page names what it sends and gets, never a path's whole answer: without the paths its types are half as long
print(json.dumps(create_app().openapi() | {"paths": {}}, indent=1, sort_keys=True))
