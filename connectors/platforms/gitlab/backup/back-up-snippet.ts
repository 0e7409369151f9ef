import type { BackupEvent, BackupOrder, Session } from "#connectors/contract/platform-connector.ts";
import { ownRecord } from "#connectors/toolkit/records/own-record.ts";
import { type BackupStage, runStages } from "#connectors/toolkit/records/run-stages.ts";
import { gitlabClient, paths } from "../client.ts";
import { type SnippetRecord, snippetRecord, snippetRecordSchema } from "../read/snippet-record.ts";
import { recordPaths } from "../record-paths.ts";
import { getSnippet } from "../snippet-inventory.ts";
import { gitStage } from "./back-up-git.ts";
import { backUpNotes } from "./back-up-notes.ts";

/** One version of a snippet: its record, its git data with every file, and its comments. */
export async function* backUpSnippet(session: Session, order: BackupOrder): AsyncGenerator<BackupEvent> {
  const parsed = snippetRecordSchema.safeParse(order.item.details);
  const snippet = parsed.success
    ? parsed.data
    : snippetRecord(await getSnippet(gitlabClient(session), order.item));
  yield* ownRecord({ kind: "snippet", path: recordPaths.snippet, title: snippet.title, value: snippet });
  const git = gitStage((run) => getSnippet(gitlabClient(run.session), run.order.item));
  yield* runStages([git, notesStage(snippet)], session, order);
}

/** The comments of a project's snippet. GitLab's API has none for personal snippets. */
function notesStage({ projectId, id }: SnippetRecord): BackupStage {
  return {
    id: "notes",
    optional: { kind: "note", path: recordPaths.notes, prefixes: [recordPaths.notes] },
    async *run(run) {
      if (projectId === null) return;
      const client = gitlabClient(run.session);
      const thing = paths.snippet(projectId, id);
      const about = "the comments";
      yield* backUpNotes(client, {
        thing,
        about,
        folder: recordPaths.notes,
        parent: recordPaths.snippet,
        kept: null,
      });
    },
  };
}
