#!/bin/sh
# adjudicator config tell /home/ann/tell-discord.sh: into a channel of Discord, by its webhook.
python3 -c 'import json, sys; print(json.dumps({"content": json.load(sys.stdin)["text"][:2000], "allowed_mentions": {"parse": []}}))' |
    curl -sSf -m 8 -H 'Content-Type: application/json' --data-binary @- https://discord.com/api/webhooks/ID/TOKEN
