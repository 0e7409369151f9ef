import type { RestoredItem, RestoreEvent } from "#connectors/contract/platform-connector.ts";
import type { RefsRecord } from "#connectors/toolkit/git/repository/git-chain.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import { paths } from "../client.ts";
import type { ProjectRecord } from "../read/project-record.ts";
import { attempt } from "./restore-refusal.ts";

/** Restores the description, topics, default branch, enabled parts and merge settings. */
export async function* applySettings(
  { client }: { client: HttpClient },
  order: {
    created: RestoredItem;
    source: ProjectRecord;
    refs: RefsRecord | null;
    branches: ReadonlySet<string>;
  },
): AsyncGenerator<RestoreEvent> {
  const { created, source, refs, branches } = order;
  const path = paths.project(created.externalId);
  const edit = (body: object, about: string) =>
    client.send({ method: "PUT", path, body, about, missing: "forbidden" });
  const branch = defaultBranchOf(source, refs);
  if (branch !== null && branches.has(branch)) {
    yield* attempt("Default branch", () => edit({ default_branch: branch }, "the default branch"), "changed");
  } else if (branch !== null && branches.size > 0) {
    const reason = `The branch ${branch} was not restored, so another one is the default.`;
    yield { type: "changed", what: "Default branch", reason };
  }
  yield* attempt("Merge settings", () => edit(mergeSettings(source), "the merge settings"), "changed");
  yield* attempt("Which parts are switched on", () => edit(accessSettings(source), "the parts"), "changed");
  // Last, because it overwrites the mark by which a creation without a response is found.
  await edit({ description: source.description ?? "", topics: source.topics }, "the restored project");
  yield* openAgain(source);
}

/** The default branch to restore. */
export function defaultBranchOf({ defaultBranch }: ProjectRecord, refs: RefsRecord | null): string | null {
  return /^refs\/heads\/(.+)$/.exec(refs?.head.target ?? "")?.[1] ?? defaultBranch;
}

/** The report line for an archived original. */
export function* openAgain({ isArchived }: ProjectRecord): Generator<RestoreEvent> {
  if (isArchived !== true) return;
  const reason = "The original was archived; the restored one can be written to, and you may archive it.";
  yield { type: "changed", what: "Archived state", reason };
}

function mergeSettings({ merging, acceptsAccessRequests }: ProjectRecord): object {
  return withoutNulls({
    merge_method: merging.method,
    squash_option: merging.squash,
    only_allow_merge_if_pipeline_succeeds: merging.needsPipeline,
    only_allow_merge_if_all_discussions_are_resolved: merging.needsResolvedDiscussions,
    remove_source_branch_after_merge: merging.removesSourceBranch,
    request_access_enabled: acceptsAccessRequests,
  });
}

/** The new project is private, so parts open to everybody become open to its members. */
function accessSettings({ access, sendsEmails, hasLfs }: ProjectRecord): object {
  const level = (told: string | null) =>
    told === "disabled" || told === "private" ? told : told && "enabled";
  return withoutNulls({
    repository_access_level: level(access.repository),
    issues_access_level: level(access.issues),
    merge_requests_access_level: level(access.mergeRequests),
    wiki_access_level: level(access.wiki),
    snippets_access_level: level(access.snippets),
    emails_enabled: sendsEmails ?? true,
    // The push may have switched it off; see `restoreLfs`.
    lfs_enabled: hasLfs ?? true,
  });
}

function withoutNulls(body: Record<string, string | boolean | null>): object {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== ""));
}
