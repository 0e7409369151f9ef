import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { openStateFile, type StateFile } from "#connectors/toolkit/simulator/state-file.ts";
import { emptyRecords, type RepositoryRecords } from "./records.ts";
import type { RecordFiles, Repository } from "./state.ts";

/** Opens the `records` folder below the simulator's own. */
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
