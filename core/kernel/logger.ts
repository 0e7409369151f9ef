import { getLogger, type Logger } from "@logtape/logtape";

/** A logger of one room, e.g. `logger("backups")`. Configuration and redaction are the doors' (`workers/`). */
export function logger(...category: string[]): Logger {
  return getLogger(["holdfast", ...category]);
}

/** Words of our own addresses, and ids of ours: a kind and what follows it. */
const TELLING = /^(?:[a-z][a-z-]{0,47}(?:\.(?:data|json))?|[a-z]{3}_[0-9a-z]{1,40})?$/;

/**
 * A path as a log may name it: of each part that is neither a word nor an id of ours there is only a dot. Signed downloads
 * and clones carry their right in the path, and a mistyped one carries it just as well.
 */
export function loggedPath(path: string): string {
  return path
    .split("/")
    .map((part) => (TELLING.test(part) ? part : "•"))
    .join("/");
}
