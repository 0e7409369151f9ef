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
  let costMs = 0;
  const flush = () => {
    if (timer) clearTimeout(timer);
    timer = null;
    const begun = performance.now();
    // A half-written file must never be read back: the rename is atomic.
    writeFileSync(`${path}.tmp`, JSON.stringify(state));
    renameSync(`${path}.tmp`, path);
    costMs = performance.now() - begun;
  };
  return {
    state,
    save() {
      // What takes long to write is written seldom, else many changes in a row would do nothing but write.
      timer ??= setTimeout(flush, Math.max(50, costMs * 10));
    },
    flush() {
      if (timer) flush();
    },
  };
}
