import { z } from "zod";
import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { openStage } from "#connectors/toolkit/records/restore-stage.ts";
import { paths } from "../client.ts";
import { recordPaths } from "../record-paths.ts";
import { CUT_TEXT, quoteGithub } from "./quote-github.ts";
import { reactionFacts } from "./reaction-facts.ts";
import { holdsAny, type RestoreIo } from "./restore-io.ts";
import { refusalReason } from "./restore-refusal.ts";
import { commentSchema } from "./restored-records.ts";

const recordSchema = commentSchema.extend({ commit_id: z.string(), position: z.int().nullish().catch(null) });
const thereSchema = z.array(z.object({ id: z.int(), body: z.string() }));

/** Restores comments on commits, which have the same names in the new repository. */
export async function* restoreCommitComments(io: RestoreIo): AsyncGenerator<RestoreEvent> {
  const { client, created, session, snapshot, journal } = io;
  const stage = await openStage<string>(journal, "commit-comments");
  if (!stage.isDone && (await holdsAny(snapshot, recordPaths.commitComments))) {
    const there = await restoredIds(io);
    for await (const { path, kind } of snapshot.list(recordPaths.commitComments)) {
      if (kind !== "commit-comment" || (stage.at !== null && path <= stage.at)) continue;
      const comment = recordSchema.parse(await snapshot.readRecord(path));
      const { user, created_at, html_url, commit_id, position } = comment;
      const origin = { author: user, at: created_at, url: html_url, facts: reactionFacts(comment.reactions) };
      const { text, isCut } = quoteGithub(session.config, origin, { body: comment.body });
      const what = `A comment on the commit ${commit_id.slice(0, 7)}`;
      const place = comment.path !== null && position ? { path: comment.path, position } : {};
      try {
        if (!there.has(comment.id ?? "")) {
          await client.send({
            ...{ method: "POST", path: paths.commitComments(created.fullName, commit_id) },
            ...{ body: { body: text, ...place }, about: "a comment on a commit", missing: "forbidden" },
          });
        }
        stage.count("commit-comment");
        if (isCut) stage.tell({ type: "changed", what, reason: CUT_TEXT });
      } catch (error) {
        stage.tell({ type: "missing", what, reason: refusalReason(error) });
      }
      if (await stage.step(path)) yield { type: "checkpoint" };
    }
    await stage.finish();
  }
  yield* stage.events();
}

/** Originals that an earlier attempt restored, by the address in the first line of each copy. */
async function restoredIds({ client, created }: RestoreIo): Promise<Set<string>> {
  const path = paths.allCommitComments(created.fullName);
  const call = {
    method: "GET",
    path,
    query: { per_page: 100 },
    about: "the new comments on commits",
  } as const;
  const found = new Set<string>();
  for await (const { body } of client.members(call, thereSchema, ({ id }) => String(id))) {
    const id = /^> .*#commitcomment-([0-9]+)\)/.exec(body)?.[1];
    if (id !== undefined) found.add(id);
  }
  return found;
}
