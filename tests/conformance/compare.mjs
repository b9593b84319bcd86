// Holds what a run of a suite failed against what it is known to fail: check by check, in both directions.
// Usage: compare.mjs BASELINE RUN RESULTS. With UPDATE_EXPECT=1 the baseline's part for this run is written anew.
import fs from "node:fs";
import path from "node:path";

const [baseline, run, results] = process.argv.slice(2);
const known = fs.existsSync(baseline) ? JSON.parse(fs.readFileSync(baseline, "utf8")) : {};
const failed = {};
let passed = 0;
for (const directory of fs.readdirSync(results).sort()) {
  const scenario = directory.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT.*$/, "");
  for (const check of JSON.parse(fs.readFileSync(path.join(results, directory, "checks.json"), "utf8"))) {
    if (check.status === "SUCCESS") passed += 1;
    if (check.status === "FAILURE") (failed[scenario] ??= new Set()).add(check.id);
  }
}
const found = Object.fromEntries(Object.entries(failed).sort().map(([scenario, ids]) => [scenario, [...ids].sort()]));
if (process.env.UPDATE_EXPECT) {
  fs.writeFileSync(baseline, `${JSON.stringify({ ...known, [run]: found }, null, 2)}\n`);
} else if (JSON.stringify(found) !== JSON.stringify(known[run] ?? {})) {
  const lines = (checks) => new Set(Object.entries(checks).flatMap(([scenario, ids]) => ids.map((id) => `${scenario}: ${id}`)));
  const [now, then] = [lines(found), lines(known[run] ?? {})];
  for (const line of now) if (!then.has(line)) console.error(`fails now: ${line}`);
  for (const line of then) if (!now.has(line)) console.error(`passes now, renew ${baseline} with UPDATE_EXPECT=1: ${line}`);
  process.exit(1);
}
if (passed === 0) {
  console.error("no check passed: the suite did not reach the server");
  process.exit(1);
}
console.log(`ok: ${run}: ${passed} checks pass, ${Object.values(found).flat().length} fail as known`);
