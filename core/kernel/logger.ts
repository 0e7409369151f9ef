import { getLogger, type Logger } from "@logtape/logtape";

/** Returns the logger of one area, e.g. `logger("backups")`. `workers/` configures logging and redaction. */
export function logger(...category: string[]): Logger {
  return getLogger(["holdfast", ...category]);
}

/** Words of our own paths, and our ids: a kind prefix and what follows. */
const TELLING = /^(?:[a-z][a-z-]{0,47}(?:\.(?:data|json))?|[a-z]{3}_[0-9a-z]{1,40})?$/;

/**
 * Returns a path that is safe to log. Replaces each segment that is neither a known word form nor one of our ids with a
 * dot: signed downloads and clones carry their secret in the path, and so does a mistyped path.
 */
export function loggedPath(path: string): string {
  return path
    .split("/")
    .map((part) => (TELLING.test(part) ? part : "•"))
    .join("/");
}
