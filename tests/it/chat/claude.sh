#!/bin/sh
# The `claude` program as a test wants it: it notes how it was started and does what the test wrote down in `plan`.
place=$(dirname "$0")
echo $$ >>"$place/started"
for argument in "$@"; do printf '%s\0' "$argument"; done >"$place/arguments"
env >"$place/environment"
{ pwd; ls -A; } >"$place/directory"
input=$(cat)
printf '%s\n' "$input" >"$place/input"

say() { printf '%s\n' "$1"; }
init() { cat "$place/init"; }
text() { say '{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"'"$1"'"}}}'; }
result() { say '{"type":"result","subtype":"success","is_error":false,"num_turns":1,"total_cost_usd":0.5,"usage":{"input_tokens":3,"cache_read_input_tokens":4,"output_tokens":5}}'; }
wait_for() { until [ -e "$place/$1" ]; do sleep 0.01; done; }
hang() { sleep 600 & echo $! >>"$place/started"; wait; }
# Processes that leave the session's group, its terminal session, its parent and its environment behind.
leave() {
  setsid sh -c 'echo $$ >>"$0/started"; exec sleep 600' "$place" &
  (setsid env -i /bin/sh -c 'trap "" HUP TERM; echo $$ >>"$0/started"; while :; do sleep 1; done' "$place" &)
  (setsid sh -c '(setsid sh -c "echo \$\$ >>\"\$0/started\"; exec sleep 600" "$0" &) ; sleep 0.05' "$place" >/dev/null 2>&1 &)
  until [ "$(wc -l <"$place/started")" -ge 4 ]; do sleep 0.01; done
}
. "$place/plan"
