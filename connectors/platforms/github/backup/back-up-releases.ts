import { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import { openDownload, type WriteDownload } from "#connectors/toolkit/download.ts";
import { readPages } from "#connectors/toolkit/records/read-pages.ts";
import { type BackupStage, mayGoWithout, type StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import { githubApi, paths } from "../client.ts";
import { type GithubAsset, type GithubRelease, releaseSchema } from "../record-form.ts";
import { recordPaths } from "../record-paths.ts";
import { backUpAttachments } from "./back-up-attachments.ts";
import { withReactions } from "./back-up-issues.ts";
import { type Reactions, readReactions } from "./read-reactions.ts";
import { feedOf, itemsProgress, openRepository } from "./repository-run.ts";

const cursorSchema = z.strictObject({
  next: z.string().nullable(),
  /** Number of assets on earlier pages. */
  before: z.int().nonnegative(),
  /** Ids of the assets of this page that are already in the draft. */
  done: z.array(z.string()),
});

/**
 * Releases and their assets. An asset is fetched once: while its id and size are the same as in the previous snapshot,
 * it is kept.
 */
export const releasesStage: BackupStage = {
  id: "releases",
  optional: { kind: "release", path: "releases/", prefixes: ["releases/"] },
  rests: { prefixes: ["releases/"], feed: feedOf("releases") },
  async *run(run, cursor) {
    const { client, get } = openRepository(run);
    const resumed = readCursor(cursorSchema, cursor) ?? { next: null, before: 0, done: [] };
    let { before } = resumed;
    let done = new Set(resumed.done);
    let here = resumed.next;
    for await (const page of readPages(
      client,
      get("/releases", "the releases"),
      z.array(releaseSchema),
      here,
    )) {
      const reactions = await readReleaseReactions(run, page.members);
      for (const release of page.members) {
        yield releaseRecord(release, reactions.get(release.id));
        for (const asset of release.assets) {
          if (done.has(String(asset.id))) continue;
          yield* backUpAsset(run, release, asset);
          done.add(String(asset.id));
          yield { type: "checkpoint", cursor: { next: here, before, done: [...done] } };
        }
        yield itemsProgress("Reading releases", before + done.size, null);
      }
      const texts = page.members.map(({ id, body }) => ({ text: body, parent: recordPaths.release(id) }));
      yield* backUpAttachments(run, texts, { cursor: { next: here, before, done: [...done] } });
      before += done.size;
      done = new Set();
      here = page.next;
    }
    yield { type: "reported", kind: "release-asset", count: before };
  },
};

/** Reads the reactions to the releases of a page, by release id. */
async function readReleaseReactions(
  { session, order }: StagesRun,
  releases: readonly GithubRelease[],
): Promise<Map<GithubRelease["id"], Reactions>> {
  const base = `${paths.repositoryByName(order.item.fullName)}/releases`;
  const reacted = releases.filter(({ reactions }) => (reactions?.total_count ?? 0) > 0);
  const things = reacted.map(({ id, node_id }) => ({ nodeId: node_id, path: `${base}/${id}/reactions` }));
  const known = await readReactions(session, things);
  return new Map(reacted.map(({ id }, at) => [id, known.get(things[at]!) ?? {}]));
}

function releaseRecord(release: GithubRelease, reactions: Reactions | undefined): BackupEvent {
  return {
    type: "record",
    path: recordPaths.release(release.id),
    kind: "release",
    title: release.name || release.tag_name,
    value: withReactions(release as Json, reactions),
  };
}

async function* backUpAsset(
  run: StagesRun,
  release: GithubRelease,
  asset: GithubAsset,
): AsyncGenerator<BackupEvent, void> {
  const path = recordPaths.asset(release.id, asset.id);
  const kind = "release-asset";
  // GitHub never changes the bytes of an asset id; a replaced asset gets a new id.
  const held = await run.order.previous?.find(path);
  if (held?.sizeBytes === asset.size) {
    yield { type: "keep", path };
    return;
  }
  if (asset.state !== undefined && asset.state !== "uploaded") {
    yield {
      type: "skipped",
      path,
      kind,
      reason: `The upload of ${asset.name} to GitHub was never finished.`,
    };
    return;
  }
  let write: WriteDownload;
  try {
    write = await openAsset(run, asset);
  } catch (error) {
    if (!mayGoWithout(run, error)) throw error;
    yield { type: "skipped", path, kind, reason: error.message };
    return;
  }
  const hash = /^sha256:([0-9a-f]{64})$/.exec(asset.digest ?? "")?.[1];
  yield {
    ...{ type: "stream", path, kind, title: asset.name, parent: recordPaths.release(release.id) },
    ...(hash === undefined ? {} : { expectedHash: hash }),
    write: (sink, report) =>
      write(sink, (done) =>
        report?.({ phase: `Receiving ${asset.name}`, done, total: asset.size, unit: "bytes" }),
      ),
  };
}

async function openAsset({ session, order }: StagesRun, asset: GithubAsset): Promise<WriteDownload> {
  const api = githubApi(session.config);
  const file = await openDownload(session, {
    platform: api.platform,
    url: `${api.baseUrl}${paths.repositoryByName(order.item.fullName)}/releases/assets/${asset.id}`,
    headers: { ...api.headers, accept: "application/octet-stream" },
    about: `the file ${asset.name}`,
    sizeBytes: asset.size,
  });
  return file.write;
}
