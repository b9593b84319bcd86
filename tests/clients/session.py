"""A session over stdio by one of the two classes of the Python client: list, call, and a misspelt argument.

Usage: session.py session|client REVISION TOOL DIRECTORY COMMAND ARGUMENT...
"""

import asyncio
import sys

from mcp import Client, ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

kind, revision, tool, directory, command, *arguments = sys.argv[1:]
server = StdioServerParameters(command=command, args=arguments, cwd=directory)


async def converse(client) -> None:
    listed = await client.list_tools()
    assert tool in [listed.name for listed in listed.tools], listed
    answer = await client.call_tool(tool, {"baseRef": "HEAD"})
    assert answer.structured_content["git"]["repoFullName"] == "acme/widgets", answer
    refused = await client.call_tool(tool, {"base_ref": "HEAD"})
    assert refused.is_error and "did you mean `baseRef`?" in refused.content[0].text, refused


async def main() -> None:
    if kind == "client":
        async with Client(server) as client:
            assert client.protocol_version == revision, client.protocol_version
            await converse(client)
        return
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        initialized = await session.initialize()
        assert initialized.protocol_version == revision, initialized
        await converse(session)


asyncio.run(main())
