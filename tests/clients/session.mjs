// A session over stdio by one of the TypeScript clients: list, call, and a misspelt argument.
// Usage: session.mjs client|client-auto|sdk REVISION TOOL DIRECTORY COMMAND ARGUMENT...
import { strict as assert } from "node:assert";

const [library, revision, tool, cwd, command, ...args] = process.argv.slice(2);
const about = { name: "clients", version: "0" };
let client, transport, told;
if (library === "sdk") {
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
  client = new Client(about);
  transport = new StdioClientTransport({ command, args, cwd });
  // This library tells its transport alone which revision it negotiated.
  transport.setProtocolVersion = (version) => { told = version; };
} else {
  const { Client } = await import("@modelcontextprotocol/client");
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  client = new Client(about, library === "client-auto" ? { versionNegotiation: { mode: "auto" } } : {});
  transport = new StdioClientTransport({ command, args, cwd });
}
await client.connect(transport);
assert.equal(client.getNegotiatedProtocolVersion?.() ?? told, revision);
assert.ok((await client.listTools()).tools.some((listed) => listed.name === tool));
const answer = await client.callTool({ name: tool, arguments: { baseRef: "HEAD" } });
assert.equal(answer.structuredContent.git.repoFullName, "acme/widgets");
const refused = await client.callTool({ name: tool, arguments: { base_ref: "HEAD" } });
assert.ok(refused.isError && refused.content[0].text.includes("did you mean `baseRef`?"), JSON.stringify(refused));
await client.close();
