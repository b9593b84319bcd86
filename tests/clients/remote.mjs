// A conversation over HTTP by one of the TypeScript clients: list, call, and a misspelt argument.
// Usage: remote.mjs client|client-auto|sdk REVISION URL TOKEN
import { strict as assert } from "node:assert";

const [library, revision, url, token] = process.argv.slice(2);
const about = { name: "clients", version: "0" };
const options = { requestInit: { headers: { Authorization: `Bearer ${token}` } } };
const tool = "loopover_get_repo_context";
let client, transport;
if (library === "sdk") {
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
  client = new Client(about);
  transport = new StreamableHTTPClientTransport(new URL(url), options);
} else {
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  client = new Client(about, library === "client-auto" ? { versionNegotiation: { mode: "auto" } } : {});
  transport = new StreamableHTTPClientTransport(new URL(url), options);
}
await client.connect(transport);
assert.equal(client.getNegotiatedProtocolVersion?.() ?? transport.protocolVersion, revision);
assert.ok((await client.listTools()).tools.some((listed) => listed.name === tool));
const answer = await client.callTool({ name: tool, arguments: { owner: "acme", repo: "widgets" } });
assert.equal(answer.structuredContent.repoFullName, "acme/widgets");
const refused = await client.callTool({ name: tool, arguments: { owner: "acme", repos: "widgets" } });
assert.ok(refused.isError && refused.content[0].text.includes("did you mean `repo`?"), JSON.stringify(refused));
await transport.terminateSession?.();
await client.close();
