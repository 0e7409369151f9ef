import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { ROOT } from "./tools.ts";

const FOLDER = join(ROOT, "connectors/platforms/jira/forge");
const FILES = ["manifest.yml", "static/shell/index.html", "static/shell/shell.css"];
/** What stands in the files for the deployment's address and the app's id. */
const ADDRESS = "https://app.holdfast.example";
const APP_ID = "ari:cloud:ecosystem::app/00000000-0000-0000-0000-000000000000";

/** The files of the Forge app for one deployment, by name: manifest, page, and the page's bundled script. */
export async function forgeAppFiles({
  url,
  appId,
}: {
  url: string;
  appId: string;
}): Promise<Record<string, string>> {
  const { origin } = new URL(url);
  const read = (name: string) =>
    readFileSync(join(FOLDER, name), "utf8").replaceAll(ADDRESS, origin).replaceAll(APP_ID, appId);
  const plain = Object.fromEntries(FILES.map((name) => [name, read(name)]));
  return { ...plain, "static/shell/shell.js": await bundledShell() };
}

/** Bundles the page's script with Atlassian's bridge. */
async function bundledShell(): Promise<string> {
  const result = await build({
    configFile: false,
    root: ROOT,
    logLevel: "error",
    publicDir: false,
    build: {
      write: false,
      target: "es2022",
      modulePreload: false,
      rollupOptions: {
        input: join(FOLDER, "shell.ts"),
        output: { format: "es", inlineDynamicImports: true },
      },
    },
  });
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((each) =>
    "output" in each ? each.output : [],
  );
  const [chunk] = outputs.filter((each) => each.type === "chunk");
  if (chunk === undefined) throw new Error("The script of the Forge app's page was not bundled.");
  return chunk.code;
}
