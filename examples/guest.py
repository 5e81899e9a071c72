"""Play as a guest over plain HTTP: open a table with two bots, and play at random until the game is over.

    python examples/guest.py http://127.0.0.1:8000

This uses only Python's standard library. A page or an app does the same, but listens on the WebSocket instead of polling.
"""

import json
import random
import secrets
import sys
import time
import urllib.error
import urllib.request

SERVER = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"
KEY = secrets.token_urlsafe(32)  # keep this secret: it is the key to your seat


def call(path, body=None):
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    request = urllib.request.Request(SERVER + path, None if body is None else json.dumps(body).encode(), headers)
    while True:
        try:
            with urllib.request.urlopen(request) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code not in (429, 503):  # it is still compiling its rules, or has much to do: ask again
                raise
            time.sleep(float(error.headers.get("Retry-After") or 1))


table = call("/api/tables", {"game": "london", "seats": ["person", "easy", "hard"], "name": "Guest", "pace": 0})["table"]
state = call(f"/api/tables/{table}")["state"]
print(f"table {table}; the seed's SHA-256 is {state['commitment']}")
while state["status"] == "playing":
    position = state["position"]
    if "question" in position:
        answer = {"id": secrets.token_hex(8), "question": position["question"], "decision": random.choice(position["legal"])}
        call(f"/api/tables/{table}/decide", answer)
    else:
        time.sleep(0.02)  # a bot is thinking
    state = call(f"/api/tables/{table}")["state"]
for seat, score in zip(state["seats"].values(), state["result"]["scores"], strict=True):
    print(f"{seat['name']}: {score['total']} points")
with open("game.json", "w", encoding="utf-8") as file:
    json.dump(call(f"/api/tables/{table}/record"), file)
print(f"the record is in game.json; check it with: branchline verify game.json --commitment {state['commitment']}")
