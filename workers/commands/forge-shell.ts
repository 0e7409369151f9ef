/**
 * Writes the Forge app ready to deploy into `build/forge`: the manifest and the page with our address and the app's id, and
 * the bundled script. `npm run forge -- --url https://app.example.com --app ari:cloud:ecosystem::app/…`
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { forgeAppFiles } from "./forge-app.ts";
import { ROOT } from "./tools.ts";

/** Where `forge deploy` is then run. */
const OUTPUT = "build/forge";

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { values } = parseArgs({ options: { url: { type: "string" }, app: { type: "string" } } });
  if (values.url === undefined || values.app === undefined)
    throw new Error("Say --url, the address of the deployment, and --app, the app's id.");
  for (const [name, text] of Object.entries(await forgeAppFiles({ url: values.url, appId: values.app }))) {
    const path = join(ROOT, OUTPUT, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  console.info(`The Forge app is in ${OUTPUT}. Run forge deploy there.`);
}
