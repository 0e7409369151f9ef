import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";

/** The project's folder. */
export const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
const CACHE = path.join(PROJECT, ".cache", "simulation");

/** A changed source: its path in the project and its whole text. */
export type ChangedSource = { file: string; text: string };

/** The files of a simulation: the world, and the product that it loads anew for every deployment. */
export type Bundles = { world: string; product: string };

/**
 * Bundles the world and the product as it is, or with changed sources. Packages stay outside: they hold nothing of ours
 * between two isolates.
 */
export async function bundleSimulation(changed: readonly ChangedSource[] = []): Promise<Bundles> {
  mkdirSync(CACHE, { recursive: true });
  const [world, product] = await Promise.all([
    bundle("tests/simulation/seed-process.ts", []),
    bundle("tests/simulation/product.ts", withShortSlices(changed)),
  ]);
  return { world, product };
}

async function bundle(entry: string, changed: readonly ChangedSource[]): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: PROJECT,
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "node22",
    packages: "external",
    keepNames: true,
    logLevel: "silent",
    alias: { "cloudflare:workers": path.join(PROJECT, "tests/simulation/actor-base.ts") },
    plugins: [replaceSources(changed)],
  });
  const { contents } = outputFiles[0]!;
  const name = createHash("sha256").update(contents).digest("hex").slice(0, 20);
  const file = path.join(CACHE, `${path.basename(entry, ".ts")}-${name}.mjs`);
  writeFileSync(file, contents);
  return file;
}

/** Lets every deployment of a world choose how many calls end a slice, as `globalThis.sliceRequests`. */
function withShortSlices(changed: readonly ChangedSource[]): ChangedSource[] {
  const file = "core/runs/limits.ts";
  const text = changed.find((source) => source.file === file)?.text ?? readSource(file);
  const shortened = text.replace("SLICE_REQUESTS = 2_000", "SLICE_REQUESTS = globalThis.sliceRequests");
  if (shortened === text) throw new Error(`${file} no longer says how many calls end a slice`);
  return [...changed.filter((source) => source.file !== file), { file, text: shortened }];
}

function replaceSources(changed: readonly ChangedSource[]): Plugin {
  const texts = new Map(changed.map(({ file, text }) => [path.join(PROJECT, file), text]));
  return {
    name: "changed sources",
    setup({ onLoad }) {
      if (texts.size === 0) return;
      onLoad({ filter: /\.tsx?$/ }, ({ path: file }) => {
        const contents = texts.get(file);
        return contents === undefined ? null : { contents, loader: file.endsWith("x") ? "tsx" : "ts" };
      });
    },
  };
}

/** A source of the project. */
export const readSource = (file: string): string => readFileSync(path.join(PROJECT, file), "utf8");
