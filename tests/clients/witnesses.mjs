// Holds witnesses against Ajv: for each, the side that promised takes the value and the other refuses it.
import { readFileSync } from "node:fs";
import Ajv2020 from "ajv/dist/2020.js";
import Ajv from "ajv";
import addFormats from "ajv-formats";

const make = (Validator) => addFormats(new Validator({ strict: false, logger: false, validateSchema: false }));
const validators = { old: make(Ajv), new: make(Ajv2020) };
// A schema is compiled alone: two may carry one id.
const compile = (schema) => {
  const ajv = String(schema.$schema).includes("draft-07") ? validators.old : validators.new;
  const { $id, ...rest } = schema;
  return ajv.compile(rest);
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
