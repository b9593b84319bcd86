"""Writes a list of invented issues, in GitHub's shape, of at least so many bytes: `stream.py BYTES | loopover import -`.

Every issue is another one, and most of each is what an import does not keep, as in GitHub's own records.
"""

import json
import sys

REST = {f"member_{number}_url": "https://api.github.com/" + "x" * 180 for number in range(45)}


def issue(number):
    return {
        "url": f"https://api.github.com/repos/acme/many/issues/{number}",
        "number": number,
        "title": f"issue {number}",
        "state": "open",
        "labels": [{"name": "bug"}],
        "body": "what happened, and what should have; " * 8,
        "user": {"login": f"user-{number % 5000}", **REST},
        "created_at": "2026-01-01T00:00:00Z",
        "updated_at": "2026-02-01T00:00:00Z",
    }


def main():
    wanted, written, number = int(sys.argv[1]), 0, 0
    out = sys.stdout.buffer
    while written < wanted:
        number += 1
        written += out.write((b"," if number > 1 else b"[") + json.dumps(issue(number)).encode())
    out.write(b"]")
    print(f"{number} issues, {written} bytes", file=sys.stderr)


main()
