import type { JobName } from "#core/jobs/index.ts";
import type { RunKind } from "./run-row.ts";

/** The job for each kind of run. */
export const JOB_OF: Record<RunKind, JobName> = {
  backup: "back-up-item",
  restore: "restore-item",
  export: "build-export",
  verify: "verify-snapshot",
  delete: "delete-item",
  repack: "repack-item",
  replicate: "replicate-version",
};
