// out/ is in the repository, so that the extension and its tests need nothing but node. This writes which sources it was
// made from; tests/whole/test_editors.py compares.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";

const hash = createHash("sha256");
for (const file of readdirSync("src").sort()) hash.update(readFileSync(`src/${file}`));
writeFileSync("out/SOURCES", `${hash.digest("hex")}\n`);
