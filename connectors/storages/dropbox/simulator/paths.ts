const LONGEST_NAME = 255;

/** Names reserved by Dropbox's own programs and by operating systems. Dropbox rejects files with these names. */
const DISALLOWED_NAMES = [
  ".dropbox",
  ".dropbox.attr",
  ".dropbox.cache",
  ".ds_store",
  "desktop.ini",
  "icon\r",
  "thumbs.db",
];

/** Why a path is invalid: it is malformed, or contains a reserved name. */
export type PathFault = "malformed_path" | "disallowed_name";

/** Paths are case-insensitive. */
export function lowerPath(path: string): string {
  return path.toLowerCase();
}

/** Returns null when the path is valid. */
export function faultOfPath(path: string): PathFault | null {
  const names = path.split("/").slice(1);
  const isMalformed = names.some(
    (name) =>
      name === "" || name === "." || name === ".." || name.includes("\\") || name.length > LONGEST_NAME,
  );
  if (isMalformed || !path.startsWith("/")) return "malformed_path";
  return names.some((name) => DISALLOWED_NAMES.includes(name.toLowerCase())) ? "disallowed_name" : null;
}

/** All parent folders of a path, outermost first: `/a/b/c` gives `/a` and `/a/b`. */
export function ancestorsOf(path: string): string[] {
  const names = path.split("/").slice(1, -1);
  return names.map((_, index) => `/${names.slice(0, index + 1).join("/")}`);
}
