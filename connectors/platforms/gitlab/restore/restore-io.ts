import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";

/** What every part of a restore needs: the version, the new project, and a client. */
export type RestoreIo = { client: HttpClient; snapshot: SnapshotView; projectId: string };

/** Rewrites the links of a text to attached files, so that they lead to the restored ones. */
export type RewriteLinks = (text: string) => string;

/** What the restore of texts needs, too: their links lead to the new project's files. */
export type TextsRestore = RestoreIo & { rewrite: RewriteLinks };
