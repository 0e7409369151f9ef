import { cpSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Copies a folder. The process may be killed in between, and another may copy to the same place: only a whole copy gets
 * the name, and the first one keeps it.
 */
export function copyWhole(from: string, to: string): void {
  const partial = `${to}.${process.pid}`;
  try {
    rmSync(partial, { recursive: true, force: true });
    cpSync(from, partial, { recursive: true });
    renameSync(partial, to);
  } catch (cause) {
    if (!["ENOTEMPTY", "EEXIST"].includes((cause as NodeJS.ErrnoException).code ?? "")) throw cause;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/** Copies a folder, then deletes what else is beside the copy, except copies of the same name that are still written. */
export function replaceKept(from: string, to: string): void {
  copyWhole(from, to);
  for (const name of readdirSync(dirname(to)))
    if (!name.startsWith(basename(to))) rmSync(join(dirname(to), name), { recursive: true, force: true });
}
