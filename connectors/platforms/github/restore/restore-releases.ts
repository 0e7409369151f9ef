import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { RestoreEvent, Session } from "#connectors/contract/platform-connector.ts";
import type { EntryInfo } from "#connectors/contract/snapshot-view.ts";
import { httpProblem } from "#connectors/toolkit/http-client.ts";
import { openStage, type RestoreStage } from "#connectors/toolkit/records/restore-stage.ts";
import { openUploadBody } from "#connectors/toolkit/upload-body.ts";
import { withinTime } from "#core/kernel/within-time.ts";
import { githubApi, paths } from "../client.ts";
import { CUT_TEXT, quoteGithub } from "./quote-github.ts";
import { reactionFacts } from "./reaction-facts.ts";
import { holdsAny, type RestoreIo } from "./restore-io.ts";
import { WRITE_SPACING_MS } from "./restore-pace.ts";
import { refusalReason } from "./restore-refusal.ts";
import { type ReleaseRecord, releaseSchema } from "./restored-records.ts";

const releaseListSchema = z.array(
  z.object({
    id: z.int(),
    tag_name: z.string(),
    name: z.string().nullish(),
    draft: z.boolean(),
    html_url: z.string(),
    upload_url: z.string(),
    assets: z.array(z.object({ id: z.int(), name: z.string(), state: z.string().nullish() })),
  }),
);
type NewRelease = z.output<typeof releaseListSchema>[number];

const LIST = { per_page: 100 };
/** Allows for GitHub's largest asset, 2 GiB, at a few megabytes a second. */
const UPLOAD_TIMEOUT_MS = 20 * 60_000;

/**
 * Restores releases with their assets, oldest first so that the newest is the latest again. A release whose tag the
 * snapshot lacks is reported as missing, because GitHub would create its tag on the default branch.
 *
 * @param tags Commits by tag.
 */
export async function* restoreReleases(
  io: RestoreIo,
  tags: ReadonlyMap<string, string>,
): AsyncGenerator<RestoreEvent> {
  const stage = await openStage<string>(io.journal, "releases");
  if (!stage.isDone && (await holdsAny(io.snapshot, "releases/"))) {
    const there = await releasesOf(io);
    const all = await readReleases(io);
    const begun = all.findIndex(({ path }) => path === stage.at);
    for (const [done, { path, record }] of all.entries()) {
      const known = there.take(record);
      if (done <= begun) continue;
      yield {
        type: "progress",
        progress: { phase: "Restoring releases", done, total: all.length, unit: "items" },
      };
      try {
        if (!record.draft && !tags.has(record.tag_name))
          throw new ConnectorError("unsupported", `The version has no tag ${record.tag_name}.`);
        const { text, isCut } = releaseText(io, record);
        const release =
          known ?? (await createRelease(io, { record, text, commit: tags.get(record.tag_name) }));
        stage.count("release");
        for await (const entry of io.snapshot.list(`${path.slice(0, -"release.json".length)}assets/`)) {
          await restoreAsset(io, stage, { release, record, entry });
        }
        const what = `Release ${record.name || record.tag_name}`;
        if (isCut) stage.tell({ type: "changed", what, reason: CUT_TEXT });
        stage.tell({
          type: "changed",
          what,
          reason:
            "Its date is the day of the restore and its author the restoring account; the text names both.",
        });
      } catch (error) {
        stage.tell({
          type: "missing",
          what: `Release ${record.name || record.tag_name}`,
          reason: refusalReason(error),
        });
      }
      if (await stage.step(path)) yield { type: "checkpoint" };
    }
    await stage.finish();
  }
  yield* stage.events();
}

async function readReleases({ snapshot }: RestoreIo): Promise<{ path: string; record: ReleaseRecord }[]> {
  const all: { path: string; record: ReleaseRecord }[] = [];
  for await (const { path } of snapshot.list("releases/")) {
    if (path.endsWith("/release.json"))
      all.push({ path, record: releaseSchema.parse(await snapshot.readRecord(path)) });
  }
  const dateOf = ({ record }: (typeof all)[number]) => record.published_at ?? record.created_at ?? "";
  return all.sort((a, b) => (dateOf(a) < dateOf(b) ? -1 : dateOf(a) > dateOf(b) ? 1 : 0));
}

/** Releases of the new repository. Drafts may share tag and name, so each is matched only once, in creation order. */
async function releasesOf({ client, created }: RestoreIo) {
  const call = {
    method: "GET",
    path: paths.releases(created.fullName),
    query: LIST,
    about: "the releases",
  } as const;
  const found: NewRelease[] = [];
  for await (const release of client.members(call, releaseListSchema, (one) => String(one.id))) {
    found.push(release);
  }
  found.sort((a, b) => b.id - a.id);
  return {
    take: ({ tag_name, name, draft }: ReleaseRecord): NewRelease | undefined => {
      const at = found.findLastIndex(
        (one) =>
          one.tag_name === tag_name &&
          one.draft === draft &&
          (!draft || (one.name ?? tag_name) === (name || tag_name)),
      );
      return at < 0 ? undefined : found.splice(at, 1)[0];
    },
  };
}

/** The notes of a release with their origin on top. */
function releaseText({ session }: RestoreIo, record: ReleaseRecord) {
  const origin = {
    author: record.author,
    at: record.published_at ?? record.created_at,
    url: record.html_url,
    facts: reactionFacts(record.reactions),
  };
  return quoteGithub(session.config, origin, { body: record.body, kind: "release" });
}

async function createRelease(
  { client, created }: RestoreIo,
  { record, text, commit }: { record: ReleaseRecord; text: string; commit: string | undefined },
): Promise<NewRelease> {
  const { tag_name, name, draft, prerelease } = record;
  const body = {
    tag_name,
    name: name || tag_name,
    body: text,
    draft,
    prerelease,
    ...(commit && { target_commitish: commit }),
  };
  const about = `the release ${name || tag_name}`;
  const release = await client.request(
    { method: "POST", path: paths.releases(created.fullName), body, about, missing: "forbidden" },
    releaseListSchema.element,
  );
  return release;
}

async function restoreAsset(
  io: RestoreIo,
  stage: RestoreStage<string>,
  { release, record, entry }: { release: NewRelease; record: ReleaseRecord; entry: EntryInfo },
): Promise<void> {
  const id = String(Number(entry.path.slice(entry.path.lastIndexOf("/") + 1)));
  const facts = record.assets.find((asset) => asset.id === id);
  const name = facts?.name ?? entry.title ?? id;
  const there = release.assets.find((asset) => asset.name === name);
  if (there?.state === "uploaded") {
    stage.count("release-asset");
    return;
  }
  try {
    // An interrupted upload leaves an asset that blocks its name.
    if (there !== undefined)
      await io.client.send({
        method: "DELETE",
        path: `${paths.releases(io.created.fullName)}/assets/${there.id}`,
        about: name,
      });
    await upload(
      io,
      release,
      { name, label: facts?.label ?? null, type: facts?.content_type ?? "application/octet-stream" },
      entry,
    );
    stage.count("release-asset");
  } catch (error) {
    stage.tell({
      type: "missing",
      what: `File ${name} of ${record.tag_name}`,
      reason: refusalReason(error),
    });
  }
}

/** Uploads an asset to the release's upload URL. @throws ConnectorError */
async function upload(
  { session, snapshot }: RestoreIo,
  release: NewRelease,
  asset: { name: string; label: string | null; type: string },
  entry: EntryInfo,
): Promise<void> {
  const url = uploadAddress(session, release.upload_url);
  url.searchParams.set("name", asset.name);
  if (asset.label) url.searchParams.set("label", asset.label);
  const source = openUploadBody(chunksOf(snapshot.read(entry.path)), entry.sizeBytes);
  await session.spend(1);
  const headers = {
    ...githubApi(session.config).headers,
    authorization: `Bearer ${await session.accessToken()}`,
    "content-type": asset.type,
    "content-length": String(entry.sizeBytes),
  };
  let response: Response;
  let text: string;
  try {
    ({ response, text } = await withinTime(UPLOAD_TIMEOUT_MS, async (signal) => {
      const init = { method: "POST", headers, body: source.body, redirect: "manual", signal, duplex: "half" };
      const response = await session.fetch(url.href, init as RequestInit);
      return { response, text: await response.text() };
    }));
  } catch (cause) {
    throw (
      source.failure() ??
      new ConnectorError("unavailable", "GitHub broke the upload of a file off.", { cause })
    );
  }
  await session.sleep(WRITE_SPACING_MS);
  if (response.status >= 300) {
    throw httpProblem(
      { platform: "GitHub" },
      { about: `the file ${asset.name}` },
      response,
      text,
      session.clock.now(),
    );
  }
}

/**
 * Returns the upload URL that GitHub named. Credentials go there only if its host is the API's or GitHub's upload host.
 */
function uploadAddress(session: Session, template: string): URL {
  const url = new URL(template.split("{", 1)[0] ?? "");
  const api = new URL(githubApi(session.config).baseUrl);
  const isOwn = url.origin === api.origin;
  const isUploads =
    api.hostname.startsWith("api.") &&
    url.origin === `${api.protocol}//${api.host.replace(/^api\./, "uploads.")}`;
  if (isOwn || isUploads) return url;
  throw new ConnectorError("malformed", `GitHub names another host (${url.host}); files are not sent there.`);
}

async function* chunksOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  yield* chunks;
}
