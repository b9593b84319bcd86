"""Takes what GitHub said out of the packages that recorded it: a file for each scenario, and one for each kind of host."""

import json
import pathlib
import sys

packages, target = (pathlib.Path(argument) for argument in sys.argv[1:])
for recorded in sorted(packages.glob("fixtures/scenarios/*/*/raw-fixture.json")):
    answers = [exchange["response"] for exchange in json.loads(recorded.read_text())]
    # One behind the other, as a paginating client prints them.
    text = "".join(json.dumps(answer, indent=2) for answer in answers)
    (target / f"{recorded.parent.parent.name}-{recorded.parent.name}.json").write_text(text)
for recorded in sorted(packages.glob("webhooks-examples/*/index.json")):
    events = json.loads(recorded.read_text())
    payloads = [payload for event in events for payload in event["examples"]]
    (target / f"webhooks-{recorded.parent.name}.json").write_text("\n".join(map(json.dumps, payloads)))
