"""A conversation over HTTP by one of the two classes of the Python client: list, call, and a misspelt argument.

Usage: remote.py session|client REVISION URL TOKEN
"""

import asyncio
import sys

import httpx2
from mcp import Client, ClientSession
from mcp.client.streamable_http import streamable_http_client

kind, revision, url, token = sys.argv[1:]
tool = "loopover_get_repo_context"


async def converse(client) -> None:
    listed = await client.list_tools()
    assert tool in [listed.name for listed in listed.tools], listed
    answer = await client.call_tool(tool, {"owner": "acme", "repo": "widgets"})
    assert answer.structured_content["repoFullName"] == "acme/widgets", answer
    refused = await client.call_tool(tool, {"owner": "acme", "repos": "widgets"})
    assert refused.is_error and "did you mean `repo`?" in refused.content[0].text, refused


async def main() -> None:
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers) as http:
        transport = streamable_http_client(url, http_client=http)
        if kind == "client":
            async with Client(transport) as client:
                assert client.protocol_version == revision, client.protocol_version
                await converse(client)
            return
        async with transport as (read, write, *_), ClientSession(read, write) as session:
            initialized = await session.initialize()
            assert initialized.protocol_version == revision, initialized
            await converse(session)


asyncio.run(main())
