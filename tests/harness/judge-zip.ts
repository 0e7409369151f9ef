import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { type Fingerprint, fingerprint } from "./fingerprint.ts";

const run = promisify(execFile);

/** What independent programs report about a ZIP. */
export type ZipVerdict = {
  /** Names by `unzip -Z1`, `python3 zipfile` and `bsdtar -tf`, each sorted. */
  names: { unzip: string[]; python: string[]; bsdtar: string[] };
  /** The bare repository inside, after `git fsck --strict`. Null when the ZIP has none. */
  repository: Fingerprint | null;
  /** The commit at HEAD of a plain `git clone` of it. Null when the ZIP has no repository. */
  clonedHead: string | null;
};

const PYTHON = `
import sys, zipfile, json
with zipfile.ZipFile(sys.argv[1]) as archive:
    bad = archive.testzip()
    if bad is not None: sys.exit("bad entry " + bad)
    print(json.dumps(sorted(archive.namelist())))
`;

/** Reads a ZIP with unzip, Python and bsdtar, then its repository with git. @throws Error with the first failure */
export async function judgeZip(bytes: Uint8Array): Promise<ZipVerdict> {
  const folder = await mkdtemp(path.join(tmpdir(), "zip-"));
  try {
    const file = path.join(folder, "archive.zip");
    await writeFile(file, bytes);
    await run("unzip", ["-tqq", file]);
    const lines = (text: string) =>
      text
        .split("\n")
        .filter((line) => line !== "")
        .sort();
    const unzip = lines((await run("unzip", ["-Z1", file])).stdout);
    const python = JSON.parse((await run("python3", ["-c", PYTHON, file])).stdout) as string[];
    const bsdtar = lines((await run("bsdtar", ["-tf", file])).stdout);
    const target = path.join(folder, "out");
    await run("unzip", ["-qq", file, "-d", target]);
    const bare = (await readdir(target)).find((name) => name.endsWith(".git"));
    if (!bare) return { names: { unzip, python, bsdtar }, repository: null, clonedHead: null };
    const clone = path.join(folder, "clone");
    await run("git", ["clone", "--quiet", path.join(target, bare), clone]);
    runGit(clone, ["fsck", "--full", "--strict"]);
    return {
      names: { unzip, python, bsdtar },
      repository: fingerprint(path.join(target, bare)),
      clonedHead: runGit(clone, ["rev-parse", "HEAD"]).trim(),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
