#!/bin/sh
# adjudicator config tell /home/ann/tell-ntfy.sh: a push by ntfy. Who knows the topic reads along.
python3 -c 'import json, sys; print(json.load(sys.stdin)["text"])' |
    curl -sSf -m 8 --data-binary @- https://ntfy.sh/TOPIC
