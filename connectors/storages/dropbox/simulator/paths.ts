const LONGEST_NAME = 255;

/** Names that belong to Dropbox's own programs and to operating systems; it does not keep files of these names. */
const DISALLOWED_NAMES = [
  ".dropbox",
  ".dropbox.attr",
  ".dropbox.cache",
  ".ds_store",
  "desktop.ini",
  "icon\r",
  "thumbs.db",
];

/** Why a path cannot be: it is none, or a name in it is taken. */
export type PathFault = "malformed_path" | "disallowed_name";

/** Two paths that differ only in capitals are one. */
export function lowerPath(path: string): string {
  return path.toLowerCase();
}

/** Null when the path can be written to. */
export function faultOfPath(path: string): PathFault | null {
  const names = path.split("/").slice(1);
  const isMalformed = names.some(
    (name) =>
      name === "" || name === "." || name === ".." || name.includes("\\") || name.length > LONGEST_NAME,
  );
  if (isMalformed || !path.startsWith("/")) return "malformed_path";
  return names.some((name) => DISALLOWED_NAMES.includes(name.toLowerCase())) ? "disallowed_name" : null;
}

/** Every folder above a path, the outermost first: `/a/b/c` gives `/a` and `/a/b`. */
export function ancestorsOf(path: string): string[] {
  const names = path.split("/").slice(1, -1);
  return names.map((_, index) => `/${names.slice(0, index + 1).join("/")}`);
}
