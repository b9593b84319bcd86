"""Holds witnesses against Python's jsonschema: the side that promised takes the value and the other refuses it."""

import json
import sys
from pathlib import Path

from jsonschema import (
    Draft4Validator,
    Draft6Validator,
    Draft7Validator,
    Draft201909Validator,
    Draft202012Validator,
)

DRAFTS = {
    "draft-04": Draft4Validator,
    "draft-06": Draft6Validator,
    "draft-07": Draft7Validator,
    "2019-09": Draft201909Validator,
}


def judge(schema):
    said = str(schema.get("$schema"))
    kind = next((kind for name, kind in DRAFTS.items() if name in said), Draft202012Validator)
    return kind(schema, format_checker=kind.FORMAT_CHECKER)


count, wrong = 0, []
for file in sys.argv[1:]:
    for case in json.loads(Path(file).read_text()):
        narrow, wide = (case["old"], case["new"]) if case["direction"] == "input" else (case["new"], case["old"])
        count += 1
        if not judge(narrow).is_valid(case["witness"]) or judge(wide).is_valid(case["witness"]):
            wrong.append(case)
if wrong:
    print(json.dumps(wrong[:5], indent=1), file=sys.stderr)
    sys.exit(f"{len(wrong)} of {count} witnesses are wrong by jsonschema")
print(f"{count} witnesses hold by Python's jsonschema")
