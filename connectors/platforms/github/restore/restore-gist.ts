import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { RestoredItem, RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { receiverAdvertisement } from "#connectors/toolkit/git/receive-pack.ts";
import { findChain, type RefsRecord, readRefs } from "#connectors/toolkit/git/repository/git-chain.ts";
import { restoreGit } from "#connectors/toolkit/git/repository/push-repository.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import { readNote } from "#connectors/toolkit/records/read-note.ts";
import { openStage } from "#connectors/toolkit/records/restore-stage.ts";
import { gistRemote, githubClient, paths } from "../client.ts";
import { GIT, wikiPlatform } from "../git-platform.ts";
import { recordPaths } from "../record-paths.ts";
import { CUT_TEXT, quoteGithub } from "./quote-github.ts";
import type { RestoreIo } from "./restore-io.ts";
import { reportKept } from "./restore-kept.ts";
import { pacedClient } from "./restore-pace.ts";
import { refusalReason } from "./restore-refusal.ts";
import { commentSchema, gistRecordSchema } from "./restored-records.ts";

const newGistSchema = z.object({
  id: z.string(),
  node_id: z.string().nullish(),
  description: z.string().nullish(),
  html_url: z.string(),
  git_push_url: z.string(),
  comments: z.int().nullish(),
});
type NewGist = z.output<typeof newGistSchema>;
const intentSchema = z.object({ mark: z.string() });

/** A new gist needs a file. The push replaces it. */
const FIRST_FILE = "holdfast-restore.md";
const LIST = { per_page: 100 };

/**
 * Restores a gist as a new one, secret until its owner publishes it. It is created with one file; then the original
 * history is pushed over it, and the description and comments follow. A gist has no name, so none is chosen.
 */
export async function* restoreGist(
  deps: Pick<RestoreIo, "session" | "snapshot" | "journal">,
): AsyncGenerator<RestoreEvent, RestoredItem> {
  const { session, snapshot, journal } = deps;
  const source = gistRecordSchema.parse(await snapshot.readRecord(recordPaths.gist));
  const refs = await readRefs(snapshot, GIT);
  const chain = await findChain(snapshot, GIT);
  if (chain === null) {
    throw new ConnectorError(
      "unsupported",
      "The list of git packs of this version is missing, so nothing was created.",
    );
  }
  const client = pacedClient(session, githubClient(session));
  yield { type: "progress", progress: { phase: "Creating the gist", done: 0, total: 1, unit: "requests" } };
  const gist = await createGist({ client, journal });
  yield { type: "restored", kind: "gist", count: 1 };
  if (source.public) {
    yield {
      type: "changed",
      what: "Visibility: secret instead of public",
      reason: "Restored gists are secret until you make them public.",
    };
  }
  const remote = gistRemote(session, gist.git_push_url);
  const branch = [...(await receiverAdvertisement(remote)).refs.keys()].find((ref) =>
    ref.startsWith("refs/heads/"),
  );
  yield* restoreGit(deps, {
    platform: wikiPlatform,
    remote,
    prefix: GIT,
    refs: onBranch(refs, branch),
    chain,
    proposalBranches: false,
  });
  await client.send({
    method: "PATCH",
    path: paths.gist(gist.id),
    body: { description: source.description ?? "" },
    about: "the new gist",
  });
  yield* restoreComments({ ...deps, client }, gist);
  yield* reportKept(snapshot);
  return {
    externalId: gist.id,
    name: gist.id,
    fullName: gist.id,
    webUrl: gist.html_url,
  };
}

/** A gist shows only one branch, which GitHub names. The original's branch is renamed to it. */
function onBranch(refs: RefsRecord, branch: string | undefined): RefsRecord {
  const { target } = refs.head;
  if (branch === undefined || target === null || target === branch) return refs;
  const renamed = refs.refs
    .filter(({ name }) => name !== branch)
    .map((ref) => (ref.name === target ? { ...ref, name: branch } : ref));
  return { ...refs, head: { ...refs.head, target: branch }, refs: renamed };
}

/** Creates the gist. If an earlier creation got no response, finds that gist again. */
async function createGist({ client, journal }: Pick<RestoreIo, "client" | "journal">): Promise<NewGist> {
  const done = await readNote(journal, "gist", z.string());
  if (done !== null)
    return await client.request(
      { method: "GET", path: paths.gist(done), about: "the new gist" },
      newGistSchema,
    );
  const intent = await readNote(journal, "intent", intentSchema);
  const mark = intent?.mark ?? crypto.randomUUID();
  const description = `Holdfast is restoring this gist (${mark}).`;
  const found = intent ? await findByDescription(client, description) : null;
  if (!intent) await journal.record("intent", { mark });
  const body = { description, public: false, files: { [FIRST_FILE]: { content: description } } };
  const gist =
    found ??
    (await client.request(
      { method: "POST", path: paths.gists, body, about: "a new gist", missing: "forbidden" },
      newGistSchema,
    ));
  await journal.record("gist", gist.id);
  return gist;
}

async function findByDescription(client: HttpClient, description: string): Promise<NewGist | null> {
  // The newest gists come first.
  const { value } = await client.page(
    { method: "GET", path: paths.gists, query: LIST, about: "your gists" },
    z.array(newGistSchema),
  );
  return value.find((gist) => gist.description === description) ?? null;
}

async function* restoreComments(
  { client, session, snapshot, journal }: Omit<RestoreIo, "created">,
  gist: NewGist,
): AsyncGenerator<RestoreEvent> {
  const stage = await openStage<string>(journal, "gist-comments");
  if (!stage.isDone) {
    const all: string[] = [];
    for await (const { path, kind } of snapshot.list("comments/"))
      if (kind === "gist-comment") all.push(path);
    const { comments } = await client.request(
      { method: "GET", path: paths.gist(gist.id), about: "the new gist" },
      newGistSchema,
    );
    const first = comments ?? 0;
    stage.count("comment", first);
    for (const path of all.slice(first)) {
      const { user, created_at, html_url, body } = commentSchema.parse(await snapshot.readRecord(path));
      const origin = { author: user, at: created_at, url: html_url };
      const { text, isCut } = quoteGithub(session.config, origin, { body, kind: "gist-comment" });
      try {
        await client.send({
          method: "POST",
          path: paths.gistComments(gist.id),
          body: { body: text },
          about: "a comment",
        });
        stage.count("comment");
        if (isCut)
          stage.tell({
            type: "changed",
            what: `A comment of ${user ?? "a deleted account"}`,
            reason: CUT_TEXT,
          });
      } catch (error) {
        stage.tell({ type: "missing", what: "A comment", reason: refusalReason(error) });
      }
    }
    await stage.finish();
  }
  yield* stage.events();
}
