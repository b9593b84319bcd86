// Calls every remote tool about every repository of a store over HTTP, and holds each answer against the advertised schema with
// Ajv. Usage: answers.mjs URL TOKEN ADMIN_TOKEN REPOSITORIES.json, a list of [owner/name, [pull numbers]].
// An error must have an honest code: what is not in the store is `not_found`.
import { readFileSync } from "node:fs";
import { strict as assert } from "node:assert";
import Ajv2020 from "ajv/dist/2020.js";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const [url, token, adminToken, file] = process.argv.slice(2);
const repositories = JSON.parse(readFileSync(file, "utf8"));

async function connect(token) {
  const client = new Client({ name: "answers", version: "0" }, { versionNegotiation: { mode: "auto" } });
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  // `strict` turns a keyword or format that Ajv does not know into an error.
  const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true });
  const { tools } = await client.listTools();
  const fits = new Map(tools.map((tool) => [tool.name, ajv.compile(tool.outputSchema)]));
  return { client, fits };
}

const counts = {};
async function call({ client, fits }, name, args, codes = []) {
  const result = await client.callTool({ name, arguments: args });
  const told = `${name} ${JSON.stringify(args)}`;
  let outcome = "answered";
  if (result.isError) {
    outcome = JSON.parse(result.content[0].text).error.code;
    assert.ok(codes.includes(outcome), `${told}: ${result.content[0].text}`);
  } else {
    const validate = fits.get(name);
    assert.ok(validate(result.structuredContent), `${told}: ${JSON.stringify(validate.errors)}`);
    assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent, told);
  }
  counts[`${name} ${outcome}`] = (counts[`${name} ${outcome}`] ?? 0) + 1;
}

const remote = await connect(token);
const admin = await connect(adminToken);
for (const [fullName, pulls] of repositories) {
  const [owner, repo] = fullName.split("/");
  await call(remote, "loopover_get_repo_context", { owner, repo });
  for (const number of pulls) await call(remote, "loopover_get_pr_reviewability", { owner, repo, number });
  await call(remote, "loopover_get_pr_reviewability", { owner, repo, number: 999_999_999 }, ["not_found"]);
  const plan = { title: "Update the readme", body: "Closes #1." };
  const prediction = { login: "octocat", owner, repo, changedPaths: ["README.md"], ...plan };
  await call(remote, "loopover_predict_gate", prediction);
  await call(remote, "loopover_preflight_pr", { repoFullName: fullName, changedFiles: ["README.md"], ...plan });
  for (const scope of ["effective", "repo", "global"]) {
    await call(admin, "loopover_admin_get_config", { scope, repoFullName: fullName });
  }
}
await call(remote, "loopover_get_repo_context", { owner: "nobody", repo: "nothing" }, ["not_found"]);
await call(remote, "loopover_get_repo_context", { owner: "" }, ["invalid_input"]);
assert.ok(repositories.length > 0, "the store has repositories");
for (const name of [...remote.fits.keys(), ...admin.fits.keys()]) {
  const answered = counts[`${name} answered`] ?? 0;
  const asked = name === "loopover_get_pr_reviewability" ? repositories.flatMap(([, pulls]) => pulls) : repositories;
  assert.ok(answered >= asked.length, `${name} answered ${answered} times`);
}
for (const [what, count] of Object.entries(counts).sort()) console.log(`${count} × ${what}`);
await remote.client.close();
await admin.client.close();
