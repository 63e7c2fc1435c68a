#!/bin/sh
# A bot for Sugar Dog in plain sh: it creeps to A2 unheard, and stays there.
read -r known
case $known in
*'"for": "setup"'*) echo "start A1" ;;
*'"refused": null'*) echo "silent A2" ;;
*) echo "silent" ;;
esac
