import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";

/** What every part of a restore works with: the version, the new project, and the way there. */
export type RestoreIo = { client: HttpClient; snapshot: SnapshotView; projectId: string };
