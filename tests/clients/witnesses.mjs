// Holds witnesses against Ajv: for each, the side that promised takes the value and the other refuses it.
import { readFileSync } from "node:fs";
import Ajv from "ajv";
import Ajv2019 from "ajv/dist/2019.js";
import Ajv2020 from "ajv/dist/2020.js";
import Ajv04 from "ajv-draft-04";
import addFormats from "ajv-formats";

const conditions = ["if", "then", "else"];
const of2019 = ["dependentRequired", "dependentSchemas", "minContains", "maxContains", "unevaluatedProperties", "unevaluatedItems"];
// Ajv hears some keywords and formats that a draft does not have, and what is beside a reference in every one.
const drafts = {
  "draft-04": [Ajv04, [...conditions, "const", "contains", "propertyNames", "$id", ...of2019], ["date", "uuid"]],
  "draft-06": [Ajv, ["id", ...conditions, ...of2019], ["date", "uuid"]],
  "draft-07": [Ajv, ["id", ...of2019], ["uuid"]],
  "2019-09": [Ajv2019, ["id", "dependencies"], []],
  "2020-12": [Ajv2020, ["id", "dependencies", "additionalItems"], []],
};
const validators = Object.fromEntries(
  Object.entries(drafts).map(([name, [Validator, keywords, formats]]) => {
    const ignoreKeywordsWithRef = name.startsWith("draft-");
    const ajv = addFormats(new Validator({ strict: false, logger: false, validateSchema: false, ignoreKeywordsWithRef }));
    for (const keyword of keywords) ajv.removeKeyword(keyword);
    for (const format of formats) delete ajv.formats[format];
    return [name, ajv];
  }),
);
// A schema is compiled alone: two may carry one id.
const compile = (schema) => {
  const draft = Object.keys(drafts).find((name) => String(schema.$schema).includes(name)) ?? "2020-12";
  const { $id, id, ...rest } = schema;
  return validators[draft].compile(rest);
};
let count = 0;
const wrong = [];
for (const file of process.argv.slice(2)) {
  for (const { direction, old, new: fresh, witness } of JSON.parse(readFileSync(file, "utf8"))) {
    const [narrow, wide] = direction === "input" ? [old, fresh] : [fresh, old];
    count += 1;
    if (!compile(narrow)(witness) || compile(wide)(witness)) wrong.push({ direction, old, new: fresh, witness });
  }
}
if (wrong.length > 0) {
  console.error(JSON.stringify(wrong.slice(0, 5), null, 1));
  console.error(`${wrong.length} of ${count} witnesses are wrong by Ajv`);
  process.exit(1);
}
console.log(`${count} witnesses hold by Ajv`);
