#!/bin/sh
# adjudicator config tell /home/ann/tell-matrix.sh: into a room of Matrix, as an account of its own.
python3 -c 'import json, sys; print(json.dumps({"msgtype": "m.text", "body": json.load(sys.stdin)["text"]}))' |
    curl -sSf -m 8 -X PUT -H 'Authorization: Bearer TOKEN' --data-binary @- \
        "https://matrix.example.org/_matrix/client/v3/rooms/ROOM/send/m.room.message/$(date +%s)-$$"
