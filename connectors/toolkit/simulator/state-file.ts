import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

/** The state of a simulator, kept across restarts in one JSON file. */
export type StateFile<S> = {
  state: S;
  /** Schedules a write; several changes in a row cost one write. */
  save(): void;
  /** Writes pending changes. */
  flush(): void;
};

/** Opens the file, or starts with `fresh` when it does not exist. */
export function openStateFile<S>(path: string, fresh: () => S): StateFile<S> {
  const isFresh = !existsSync(path);
  const state = isFresh ? fresh() : (JSON.parse(readFileSync(path, "utf8")) as S);
  let timer: NodeJS.Timeout | null = null;
  let costMs = 0;
  const flush = () => {
    if (timer) clearTimeout(timer);
    timer = null;
    const begun = performance.now();
    // The rename is atomic, so that a partial file is never read.
    writeFileSync(`${path}.tmp`, JSON.stringify(state));
    renameSync(`${path}.tmp`, path);
    costMs = performance.now() - begun;
  };
  return {
    state,
    save() {
      // A state that takes long to write is written rarely; otherwise many changes in a row would do nothing but
      // write.
      timer ??= setTimeout(flush, Math.max(50, costMs * 10));
    },
    flush() {
      if (timer) flush();
    },
  };
}
