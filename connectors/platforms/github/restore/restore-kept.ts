import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";

/** Kinds that a snapshot holds but that nobody can create at GitHub, with the reason. */
const KEPT: Readonly<Record<string, { what: (count: number) => string; reason: string }>> = {
  "issue-event": {
    what: (count) => `${count} events of issues and pull requests`,
    reason: "GitHub writes the history of an issue itself. The version and its ZIP hold it.",
  },
  attachment: {
    what: (count) => `${count} ${count === 1 ? "file" : "files"} attached to texts`,
    reason:
      "GitHub takes such files from browsers only. Their links stay in the texts and lead to the original's files; the version and its ZIP hold the files themselves.",
  },
  project: {
    what: (count) => `${count} ${count === 1 ? "project" : "projects"}`,
    reason:
      "Views and workflows of projects cannot be created by a program. The version and its ZIP hold fields and items.",
  },
  setting: {
    what: () => "Rules, webhooks, deploy keys, secrets, variables and collaborators",
    reason:
      "GitHub never returns values of secrets, old rules or members could lock you out, and old keys would let somebody in. The version and its ZIP list them by name.",
  },
};

/** Reports, kind by kind, what of these counts stays in the snapshot only. */
export function* reportKept(snapshot: Pick<SnapshotView, "counts">): Generator<RestoreEvent> {
  const counts = snapshot.counts();
  for (const [kind, { what, reason }] of Object.entries(KEPT)) {
    const count = counts[kind] ?? 0;
    if (count > 0) yield { type: "impossible", what: what(count), reason };
  }
}
