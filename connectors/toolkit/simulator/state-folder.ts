import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { openStateFile, type StateFile } from "./state-file.ts";

/** The folder of a simulator: its state and its stored bytes. */
export type StateFolder<S> = StateFile<S> & {
  directory: string;
  /** Writes pending changes; deletes the folder if it is temporary. */
  close(): void;
};

/** Opens the given folder, which is kept, or a temporary one. */
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
