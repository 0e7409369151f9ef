import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import { isOutOfReach } from "#connectors/toolkit/records/run-stages.ts";
import { paths } from "../client.ts";
import { commentsSchema, type NotionComment } from "../payloads.ts";
import { readAll } from "../read-list.ts";
import { commentForm, withoutPaths } from "../record-form.ts";
import { recordPaths } from "../record-paths.ts";
import { backUpFiles } from "./back-up-files.ts";
import type { OldPage } from "./old-page.ts";
import type { Work } from "./workspace-run.ts";

/** The prefix of the entry that says why a version has no comments. */
const COMMENTS = "comments/";
const TITLE_LENGTH = 80;

/**
 * The comments on a page, or on one of its blocks, with their attachments. Notion lists those of open discussions only.
 * Comments of the previous version that are no longer listed are removed.
 */
export async function* backUpComments(
  work: Work,
  on: { pageId: string; home: string; blockId: string | null },
  old: Pick<OldPage, "comments" | "files">,
): AsyncGenerator<BackupEvent, void> {
  if (!work.hasComments) return;
  const read = () => readComments(work, on.blockId ?? on.pageId);
  const comments = await read().catch((error: unknown) => {
    if (isOutOfReach(error) && error.kind === "forbidden") return error;
    // The block was deleted meanwhile, and its comments with it.
    if (isOutOfReach(error) && error.kind === "gone" && on.blockId !== null) return [];
    throw error;
  });
  if (!Array.isArray(comments)) {
    work.hasComments = false;
    const reason = `${comments.message} What the previous version holds is kept.`;
    yield { type: "skipped", path: COMMENTS, kind: "comment", reason };
    return;
  }
  yield* dropComments(
    work,
    old.comments.filter(({ blockId }) => blockId === on.blockId),
  );
  for (const [position, comment] of comments.entries()) {
    const path = recordPaths.comment(on.home, comment.id);
    const form = commentForm(comment, on.home);
    const lost = yield* backUpFiles(work, {
      files: form.files,
      old: old.files,
      parent: path,
      refresh: async () =>
        (await read()).flatMap((each) => (each.id === comment.id ? commentForm(each, on.home).files : [])),
    });
    const value = withoutPaths({ ...(form.value as object), position }, lost);
    const parent = recordPaths.page(on.home);
    yield { type: "record", path, kind: "comment", title: titleOf(comment), parent, value };
    work.count("comment", 1);
  }
}

/** Removes comments of the previous version, with their attachments. */
export function* dropComments(work: Work, comments: OldPage["comments"]): Generator<BackupEvent, void> {
  for (const { path, files } of comments) {
    yield { type: "drop", path };
    work.count("comment", -1);
    for (const file of files) {
      yield { type: "drop", path: file };
      work.count("file", -1);
    }
  }
}

function readComments(work: Work, blockId: string): Promise<NotionComment[]> {
  const call = {
    method: "GET",
    path: paths.comments,
    query: { block_id: blockId },
    about: "the comments of this page",
  } as const;
  return readAll(work.client, call, commentsSchema);
}

function titleOf({ rich_text, display_name }: NotionComment): string {
  const text = rich_text.map(({ plain_text }) => plain_text).join("");
  const line = [...(text.split("\n", 1)[0] ?? "")].slice(0, TITLE_LENGTH).join("");
  const author = display_name?.resolved_name;
  return author ? `${author}: ${line}` : line;
}
