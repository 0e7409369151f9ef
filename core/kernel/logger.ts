import { getLogger, type Logger } from "@logtape/logtape";

/** A logger of one room, e.g. `logger("backups")`. Configuration and redaction are the doors' (`workers/`). */
export function logger(...category: string[]): Logger {
  return getLogger(["holdfast", ...category]);
}
