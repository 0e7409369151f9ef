import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { openStateFile, type StateFile } from "#connectors/toolkit/simulator/state-file.ts";
import { emptyRecords, type RepositoryRecords } from "./records.ts";
import type { Repository } from "./state.ts";

/** The records of all repositories, one file each, so that a change in one does not rewrite the others. */
export type RecordFiles = {
  /** The records of a repository, read when they are first asked for. */
  of(repository: Repository): RepositoryRecords;
  /** Writes soon what was changed. */
  save(repository: Repository): void;
  /** Forgets and deletes. */
  drop(repository: Repository): void;
  /** Writes what is still unwritten. */
  flush(): void;
};

/** Opens the folder `records` below a simulator's own. */
export function openRecordFiles(directory: string): RecordFiles {
  const folder = path.join(directory, "records");
  const files = new Map<number, StateFile<RepositoryRecords>>();
  const open = (repository: Repository): StateFile<RepositoryRecords> => {
    const known = files.get(repository.id);
    if (known) return known;
    mkdirSync(folder, { recursive: true });
    const file = openStateFile(path.join(folder, `${repository.id}.json`), () => emptyRecords(repository.id));
    files.set(repository.id, file);
    return file;
  };
  return {
    of: (repository) => open(repository).state,
    save: (repository) => open(repository).save(),
    drop(repository) {
      files.get(repository.id)?.flush();
      files.delete(repository.id);
      rmSync(path.join(folder, `${repository.id}.json`), { force: true });
    },
    flush() {
      for (const file of files.values()) file.flush();
    },
  };
}
