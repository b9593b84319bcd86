"""Feeds every form of every tool to the vendors' own converters, offline and without a key.

Usage: converters.py FILE.json, an object with the documents `anthropic`, `openai`, `gemini` (as `loopover contract export`
writes them). Prints what a converter refuses and exits 1 if there is anything.
"""

import copy
import json
import sys

from agents.strict_schema import ensure_strict_json_schema
from anthropic.lib._parse._transform import transform_schema
from google.genai import types


def google_json_schema(schema):
    return types.Schema.from_json_schema(json_schema=types.JSONSchema.model_validate(schema))


def cases(documents):
    """Yields (what, converter, its input)."""
    for tool in documents["anthropic"]:
        yield f"anthropic {tool['name']}", transform_schema, tool["input_schema"]
    for tool in documents["openai"]:
        function = tool["function"]
        # A tool that says `strict: false` is never given to the strict converter, by OpenAI's own rule.
        if function["strict"]:
            yield f"openai-agents {function['name']}", ensure_strict_json_schema, function["parameters"]
    for tool in documents["gemini"]["functionDeclarations"]:
        yield f"google declaration {tool['name']}", lambda value: types.FunctionDeclaration(**value), tool
        for field in ("parameters", "parametersJsonSchema"):
            if field in tool:
                yield f"google JSON Schema {tool['name']}", google_json_schema, tool[field]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        documents = json.load(file)
    taken = refused = 0
    for what, converter, value in cases(documents):
        try:
            converter(copy.deepcopy(value))
            taken += 1
        except Exception as error:  # whatever a converter raises is a refusal
            refused += 1
            print(f"{what}: {type(error).__name__}: {error}")
    print(f"converters: {taken} taken, {refused} refused")
    sys.exit(1 if refused or not taken else 0)


main()
