import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

const CONFIG = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n";

/**
 * Creates an empty bare repository whose HEAD names a branch. Writes the files of gitrepository-layout(5) directly,
 * because a process per repository costs more. Does nothing when the repository exists.
 */
export function initBare(directory: string, branch = "main"): void {
  if (existsSync(path.join(directory, "HEAD"))) return;
  for (const folder of ["objects/info", "objects/pack", "refs/heads", "refs/tags"]) {
    mkdirSync(path.join(directory, folder), { recursive: true });
  }
  writeFileSync(path.join(directory, "config"), CONFIG);
  writeFileSync(path.join(directory, "HEAD"), `ref: refs/heads/${branch}\n`);
}
