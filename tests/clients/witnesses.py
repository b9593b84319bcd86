"""Holds witnesses against Python's jsonschema: the side that promised takes the value and the other refuses it."""

import json
import sys
from pathlib import Path

from jsonschema import Draft7Validator, Draft202012Validator


def judge(schema):
    kind = Draft7Validator if "draft-07" in str(schema.get("$schema")) else Draft202012Validator
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
