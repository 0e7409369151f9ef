import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";

/** What every part of a restore needs: the version, the new project, and a client. */
export type RestoreIo = { client: HttpClient; snapshot: SnapshotView; projectId: string };
