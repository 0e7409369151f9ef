import type { RestoredItem, RestoreEvent } from "#connectors/contract/platform-connector.ts";
import type { RefsRecord } from "#connectors/toolkit/git/repository/git-chain.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import { paths } from "../client.ts";
import type { RepositoryRecord } from "../read/repository-record.ts";
import { attempt } from "./restore-refusal.ts";

/** Applies the visible settings: description, website, default branch, features, topics. */
export async function* applySettings(
  { client }: { client: HttpClient },
  order: { created: RestoredItem; source: RepositoryRecord; refs: RefsRecord; branches: ReadonlySet<string> },
): AsyncGenerator<RestoreEvent> {
  const { created, source, refs, branches } = order;
  yield {
    type: "progress",
    progress: { phase: "Setting description and topics", done: 0, total: 1, unit: "requests" },
  };
  const path = paths.repositoryByName(created.fullName);
  const edit = (body: object, about: string) =>
    client.send({ method: "PATCH", path, body, about, missing: "forbidden" });
  await edit(
    { description: source.description ?? "", homepage: source.homepage ?? "" },
    "the restored repository",
  );

  const branch = defaultBranchOf(source, refs);
  if (branch !== null && branches.has(branch)) {
    yield* attempt("Default branch", () => edit({ default_branch: branch }, "the default branch"));
  } else if (branch !== null && branches.size > 0) {
    const reason = `The branch ${branch} was not restored, so another one is the default.`;
    yield { type: "changed", what: "Default branch", reason };
  }
  const { issues, projects, wiki } = source.features;
  const features = { has_issues: issues ?? true, has_projects: projects ?? true, has_wiki: wiki ?? true };
  yield* attempt("Features (issues, projects, wiki)", () => edit(features, "the features"));
  // By itself, because GitHub's OpenAPI document does not list it for this call; GitHub's own client sends it (cli/cli,
  // pkg/cmd/repo/edit/edit.go).
  if (source.features.discussions === true)
    yield* attempt("Discussions", () => edit({ has_discussions: true }, "the discussions"));
  if (source.topics.length > 0) {
    const body = { names: source.topics };
    const call = { method: "PUT", path: paths.topics(created.fullName), body, about: "the topics" } as const;
    yield* attempt("Topics", () => client.send({ ...call, missing: "forbidden" }));
  }
  yield* openAgain(source);
}

/** The branch to set as the default. */
export function defaultBranchOf({ defaultBranch }: RepositoryRecord, { head }: RefsRecord): string | null {
  return /^refs\/heads\/(.+)$/.exec(head.target ?? "")?.[1] ?? defaultBranch;
}

/** Reports that the copy of an archived repository is not archived. */
export function* openAgain({ isArchived }: RepositoryRecord): Generator<RestoreEvent> {
  if (isArchived !== true) return;
  const reason = "The original was archived; the restored one can be written to, and you may archive it.";
  yield { type: "changed", what: "Archived state", reason };
}
