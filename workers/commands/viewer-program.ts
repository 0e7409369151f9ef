import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { ROOT } from "./tools.ts";

const FOLDER = "core/exports/viewer";
const HEADER = "// Written by `npm run generate` from program/main.ts.\n\n";

/** Writes the program of the ZIP's offline page as one text. With `isCheck` it only reports a stale one. */
export async function viewerProgram(isCheck: boolean): Promise<string | null> {
  const path = join(ROOT, FOLDER, "program.generated.ts");
  const text = `${HEADER}export const VIEWER_PROGRAM = ${JSON.stringify(await bundled())};\n`;
  if (readOrEmpty(path) === text) return null;
  if (isCheck) return "The program of the offline page is stale: run npm run generate";
  writeFileSync(path, text);
  return null;
}

/** Bundles one script for browsers of the last few years. It stays readable: people find it in their ZIP. */
async function bundled(): Promise<string> {
  const result = await build({
    configFile: false,
    root: ROOT,
    logLevel: "error",
    publicDir: false,
    build: {
      write: false,
      target: "es2020",
      minify: false,
      modulePreload: false,
      lib: { entry: join(ROOT, FOLDER, "program/main.ts"), formats: ["iife"], name: "viewer" },
    },
  });
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((each) =>
    "output" in each ? each.output : [],
  );
  const [chunk] = outputs.filter((each) => each.type === "chunk");
  if (chunk === undefined || outputs.length !== 1)
    throw new Error("The offline page is more than one script.");
  return chunk.code;
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
