import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { openStateFile, type StateFile } from "./state-file.ts";

/** The folder of a simulator: its state, and beside it the bytes that the simulator keeps there. */
export type StateFolder<S> = StateFile<S> & {
  directory: string;
  /** Writes what is still unwritten; a folder that was made for this simulator alone is deleted. */
  close(): void;
};

/** Opens the folder that is given and keeps it, or makes one that goes again. */
export function openStateFolder<S>(given: string | undefined, fresh: () => S): StateFolder<S> {
  const directory = resolve(given ?? mkdtempSync(join(tmpdir(), "holdfast-simulator-")));
  mkdirSync(directory, { recursive: true });
  const file = openStateFile(join(directory, "state.json"), fresh);
  return {
    ...file,
    directory,
    close() {
      file.flush();
      if (given === undefined) rmSync(directory, { recursive: true, force: true });
    },
  };
}
