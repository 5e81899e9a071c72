"""Writes the server's OpenAPI document, from which the page's types are made: `python scripts/openapi.py > web/openapi.json`."""

import json

from branchline.server.app import create_app

print(json.dumps(create_app().openapi(), indent=1, sort_keys=True))
