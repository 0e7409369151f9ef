import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

/** A bare repository from outside the simulator: `OWNER/NAME.git` below `SIM_GIT_ROOT`. */
export type RootRepository = { owner: string; name: string; directory: string };

/** Finds the bare repositories below a folder, except `NAME.wiki.git` next to `NAME.git`, which is its wiki. */
export function findRootRepositories(root: string | null): RootRepository[] {
  if (root === null) return [];
  const found: RootRepository[] = [];
  for (const owner of foldersOf(root)) {
    const folder = path.resolve(root, owner);
    const bare = foldersOf(folder).filter((entry) => entry.endsWith(".git"));
    for (const entry of bare) {
      const directory = path.join(folder, entry);
      if (bare.includes(entry.replace(/\.wiki\.git$/, ".git")) && entry.endsWith(".wiki.git")) continue;
      if (isRepository(directory)) found.push({ owner, name: entry.slice(0, -".git".length), directory });
    }
  }
  return found;
}

/** The name; if it is taken, with the first free number as its suffix. */
export function freeName(wanted: string, isTaken: (name: string) => boolean): string {
  let name = wanted;
  for (let number = 2; isTaken(name); number++) name = `${wanted}-${number}`;
  return name;
}

/** Names of the subfolders, including links to folders. */
function foldersOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const isFolder = (name: string) => {
    try {
      return statSync(path.join(folder, name)).isDirectory();
    } catch {
      return false; // A dangling or circular link.
    }
  };
  return readdirSync(folder).filter(isFolder).sort();
}

/** Whether git would recognise the folder as a repository. */
function isRepository(directory: string): boolean {
  const isThere = (name: string) => existsSync(path.join(directory, name));
  if (!isThere("objects") || !isThere("refs")) return false;
  try {
    const head = readFileSync(path.join(directory, "HEAD"), "utf8");
    return /^(ref: *refs\/|[0-9a-f]{40,64}\s*$)/.test(head);
  } catch {
    return false; // HEAD is missing or is a folder.
  }
}
