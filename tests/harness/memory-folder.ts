import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Linux keeps files below this path in memory. */
const IN_MEMORY = "/dev/shm";
/** A run needs about 1 GiB. Containers often have 64 MiB there. */
const NEEDED_BYTES = 4 * 1024 ** 3;
const NAME = "holdfast-run-";

/**
 * Creates a folder for the temporary files of a run: in memory where the machine has enough of it, otherwise among the
 * other temporary files. Databases write to disk with every commit, and no test needs its files after a power failure. Deletes the folders of runs that were killed.
 */
export function makeMemoryFolder(): string {
  const parent = hasRoom() ? IN_MEMORY : tmpdir();
  for (const name of readdirSync(parent)) {
    const owner = new RegExp(`^${NAME}(\\d+)-`).exec(name)?.[1];
    if (owner !== undefined && !isRunning(Number(owner)))
      rmSync(join(parent, name), { recursive: true, force: true });
  }
  return mkdtempSync(join(parent, `${NAME}${process.pid}-`));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EPERM";
  }
}

function hasRoom(): boolean {
  try {
    accessSync(IN_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= NEEDED_BYTES;
  } catch {
    return false;
  }
}
