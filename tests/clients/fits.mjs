// Holds a tool's answer against its advertised output schema with Ajv, as a strict client does.
// Usage: fits.mjs LIST.json ANSWER.json TOOL, both as the Inspector's CLI prints them.
import { readFileSync } from "node:fs";
import Ajv2020 from "ajv/dist/2020.js";

const [list, answer, name] = process.argv.slice(2);
const read = (file) => JSON.parse(readFileSync(file, "utf8")).result;
const tool = read(list).tools.find((tool) => tool.name === name);
const result = read(answer);
// `strict` turns a keyword or format that Ajv does not know into an error.
const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true });
const validate = ajv.compile(tool.outputSchema);
ajv.compile(tool.inputSchema);
const same = JSON.stringify(JSON.parse(result.content[0].text)) === JSON.stringify(result.structuredContent);
if (result.isError || !validate(result.structuredContent) || !same) {
  console.error("the answer does not fit:", validate.errors, { isError: result.isError, same });
  process.exit(1);
}
console.log(`${name}: the answer fits the advertised schema`);
