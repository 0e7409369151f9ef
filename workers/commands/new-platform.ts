/**
 * `npm run new:platform -- asana Asana`: creates and registers a complete connector from the template, to be changed
 * piece by piece.
 */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileFromTemplate, isPlatformId } from "./platform-template.ts";
import { ROOT, runTool } from "./tools.ts";

const [id = "", label = ""] = process.argv.slice(2);
const target = join(ROOT, "connectors/platforms", id);

if (!isPlatformId(id) || label === "") fail("Say its id and its name: npm run new:platform -- asana Asana");
else if (existsSync(target)) fail(`connectors/platforms/${id} is there already.`);
else await create();

async function create(): Promise<void> {
  cpSync(join(ROOT, "connectors/platforms/_template"), target, { recursive: true });
  for (const entry of readdirSync(target, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    writeFileSync(file, fileFromTemplate(readFileSync(file, "utf8"), { id, label }));
  }
  const { code, output } = await runTool("node", ["--import", "tsx", "workers/commands/generate.ts"]);
  if (code !== 0) {
    rmSync(target, { recursive: true });
    fail(`The registry could not be written, so nothing was created:\n${output}`);
    return;
  }
  console.log(
    `connectors/platforms/${id} is registered. Change every piece; connectors/README.md is the checklist.`,
  );
}

function fail(sentence: string): void {
  console.error(sentence);
  process.exitCode = 1;
}
