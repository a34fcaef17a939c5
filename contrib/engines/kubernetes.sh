#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Hands kubernetes.yaml to kubectl, with an earlier Job of the same name out of the way. $IMAGE and $CLAIM are the
# site's. The values are put in as JSON texts, which YAML reads as they are. $KUBECTL names another program than kubectl.
#     kubernetes.sh NAME TASKS SCRIPT FOLDER MEMORY TIME THREADS
set -eu
[ $# = 7 ] || { sed -n '3,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
: "${IMAGE:?is to name a container image that has bnbench}" "${CLAIM:?is to name a volume claim}"
text() { printf '"%s"' "$(printf %s "$1" | sed 's/[\\"]/\\&/g')" | sed 's/[\\&|]/\\&/g'; }
"${KUBECTL:-kubectl}" delete job "$1" --ignore-not-found --wait=true >&2
sed -e "s|@NAME@|$(text "$1")|; s|@TASKS@|$2|; s|@SCRIPT@|$(text "$3")|; s|@FOLDER@|$(text "$4")|; s|@MEMORY@|$5Mi|" \
    -e "s|@TIME@|$6|; s|@THREADS@|\"$7\"|; s|@IMAGE@|$(text "$IMAGE")|; s|@CLAIM@|$(text "$CLAIM")|" \
    "$(dirname -- "$0")/kubernetes.yaml" | "${KUBECTL:-kubectl}" create -f -
