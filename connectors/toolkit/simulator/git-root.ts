import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

/** A bare repository that the simulator did not make: `OWNER/NAME.git` below `SIM_GIT_ROOT`. */
export type RootRepository = { owner: string; name: string; directory: string };

/**
 * The bare repositories below a folder, by their names. Whatever else lies there is passed over, and so is
 * `NAME.wiki.git` beside `NAME.git`, which is its wiki.
 */
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

/** The name, with the first number behind it that makes it free when it is taken. */
export function freeName(wanted: string, isTaken: (name: string) => boolean): string {
  let name = wanted;
  for (let number = 2; isTaken(name); number++) name = `${wanted}-${number}`;
  return name;
}

/** Names of the folders in a folder, links to folders among them. */
function foldersOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const isFolder = (name: string) => {
    try {
      return statSync(path.join(folder, name)).isDirectory();
    } catch {
      return false; // A link to nothing or to itself.
    }
  };
  return readdirSync(folder).filter(isFolder).sort();
}

/** Whether git would take the folder for a repository. */
function isRepository(directory: string): boolean {
  const isThere = (name: string) => existsSync(path.join(directory, name));
  if (!isThere("objects") || !isThere("refs")) return false;
  try {
    const head = readFileSync(path.join(directory, "HEAD"), "utf8");
    return /^(ref: *refs\/|[0-9a-f]{40,64}\s*$)/.test(head);
  } catch {
    return false; // No HEAD, or one that is a folder.
  }
}
