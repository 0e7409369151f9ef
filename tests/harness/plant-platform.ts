import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "../..");
/** What the copy makes itself. */
const REGISTRY = /^connectors\/registry\/[a-z-]+\.generated\.ts$/;
const TEST = /\.test\.tsx?$/;

/** A copy of the project with one more platform. */
export type PlantOrder = {
  /** The root of the copy. What another planting left there is brought up to date. */
  into: string;
  /** Folders and files of the project that the copy needs, by path. Tests in them are left out. */
  sources: readonly string[];
  /** The new platform: its folder, and what its texts become. */
  platform: { id: string; folder: string; change?: (text: string) => string };
};

/**
 * Plants a platform in a copy of the project as `connectors/README.md` says: one folder, then the registry. An
 * unchanged file is not written, so that what was built from it stays fresh.
 * @throws Error with the output of the generator
 */
export function plantPlatform({ into, sources, platform }: PlantOrder): void {
  const { id, folder, change = (text) => text } = platform;
  const wanted = new Map<string, () => Buffer>();
  for (const source of sources) {
    for (const file of filesOf(path.join(ROOT, source))) {
      const name = path.relative(ROOT, file);
      if (!TEST.test(name) && !REGISTRY.test(name)) wanted.set(name, () => readFileSync(file));
    }
  }
  for (const file of filesOf(folder)) {
    const name = path.join("connectors/platforms", id, path.relative(folder, file));
    if (!TEST.test(name)) wanted.set(name, () => Buffer.from(change(readFileSync(file, "utf8"))));
  }
  for (const [name, read] of wanted) writeIfChanged(path.join(into, name), read());
  for (const source of sources) removeOthers(into, source, wanted);
  const modules = path.join(into, "node_modules");
  if (!existsSync(modules)) symlinkSync(path.join(ROOT, "node_modules"), modules);
  runIn(into, "connectors/registry/generate.ts");
}

/** Runs a script of the copy. Returns its output. @throws Error with the output of a failed one */
export function runIn(root: string, file: string): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", "tsx", file], {
    cwd: root,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${file} failed: ${stderr.slice(0, 2_000)}`);
  return stdout;
}

/** Every file at or below a path. */
export function filesOf(from: string): string[] {
  if (!statSync(from, { throwIfNoEntry: false })?.isDirectory()) return existsSync(from) ? [from] : [];
  return readdirSync(from, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

function writeIfChanged(file: string, bytes: Buffer): void {
  if (existsSync(file) && readFileSync(file).equals(bytes)) return;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}

function removeOthers(root: string, source: string, wanted: ReadonlyMap<string, unknown>): void {
  for (const file of filesOf(path.join(root, source))) {
    const name = path.relative(root, file);
    if (!wanted.has(name) && !REGISTRY.test(name)) rmSync(file);
  }
}
