import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

/** State of a simulator that survives a restart as one JSON file. */
export type StateFile<S> = {
  state: S;
  /** Writes soon; several changes in a row cost one write. */
  save(): void;
  /** Writes what is still unwritten. */
  flush(): void;
};

/** Opens the file, or begins with `fresh` when there is none. */
export function openStateFile<S>(path: string, fresh: () => S): StateFile<S> {
  const isFresh = !existsSync(path);
  const state = isFresh ? fresh() : (JSON.parse(readFileSync(path, "utf8")) as S);
  let timer: NodeJS.Timeout | null = null;
  const flush = () => {
    if (timer) clearTimeout(timer);
    timer = null;
    // A half-written file must never be read back: the rename is atomic.
    writeFileSync(`${path}.tmp`, JSON.stringify(state));
    renameSync(`${path}.tmp`, path);
  };
  return {
    state,
    save() {
      timer ??= setTimeout(flush, 50);
    },
    flush() {
      if (timer) flush();
    },
  };
}
