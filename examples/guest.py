"""A guest at a Branchline table, over plain HTTP: opens a table against two bots and plays it to the end, at random.

    python examples/guest.py http://127.0.0.1:8000

Nothing but Python's own library is used; a page or an app does the same, and hears of news over the WebSocket instead of asking.
"""

import json
import random
import secrets
import sys
import time
import urllib.request

SERVER = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"
KEY = secrets.token_urlsafe(32)  # keep it: it is the key to your seat


def call(path, body=None):
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    request = urllib.request.Request(SERVER + path, None if body is None else json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


table = call("/api/tables", {"game": "london", "seats": ["person", "easy", "hard"], "name": "Guest", "pace": 0})["table"]
state = call(f"/api/tables/{table}")["state"]
print(f"table {table}; the seed's SHA-256 is {state['commitment']}")
while state["status"] == "playing":
    position = state["position"]
    if "question" in position:
        answer = {"id": secrets.token_hex(8), "number": position["question"], "decision": random.choice(position["legal"])}
        call(f"/api/tables/{table}/decide", answer)
    else:
        time.sleep(0.02)  # a bot thinks
    state = call(f"/api/tables/{table}")["state"]
for seat, score in zip(state["seats"].values(), state["result"]["scores"], strict=True):
    print(f"{seat['name']}: {score['total']} points")
with open("game.json", "w", encoding="utf-8") as file:
    json.dump(call(f"/api/tables/{table}/record"), file)
print(f"the record is in game.json; check it with: branchline verify game.json --commitment {state['commitment']}")
