import { z } from "zod";
import type { Session } from "#connectors/contract/platform-connector.ts";
import { type BackupStage, isOutOfReach, mayGoWithout } from "#connectors/toolkit/records/run-stages.ts";
import { isTooMuch } from "#connectors/toolkit/records/shrink.ts";
import { askGraphql } from "../graphql.ts";
import { DISCUSSIONS_FIELD, FEED_FIELDS, type Feeds, feedFields, feedsOf } from "./feeds.ts";
import { openRepository, type RepositoryRun, writeNotes } from "./repository-run.ts";

/** The totals alone, for a repository whose feeds GitHub does not show, or cannot gather within its time. */
const TOTALS = `
    issues { totalCount }
    pullRequests { totalCount }
    labels { totalCount }
    milestones { totalCount }
    releases { totalCount }`;
const COMMIT_COMMENTS = `
    commitComments { totalCount }`;
const count = z.object({ totalCount: z.int().nonnegative() }).nullable();
const totals = {
  issues: count,
  pullRequests: count,
  labels: count,
  milestones: count,
  releases: count,
  commitComments: count,
};
type Totals = z.output<z.ZodObject<typeof totals>>;

/**
 * Reads GitHub's own totals of issues, pull requests and so on, and its feeds, in one query of one point. The totals show
 * whether the snapshot is complete, and let the next one detect deletions; the feeds show which stages need not be read.
 * If the query fails, everything is still read, and deletions wait for the weekly full read.
 */
export const totalsStage: BackupStage = {
  id: "totals",
  async *run(run) {
    if (run.known !== null) {
      for (const prefix of ["issues/", "pulls/"]) yield { type: "keep-all", prefix };
    }
    const repository = openRepository(run);
    const { features } = repository;
    try {
      const { answer, feeds } = await ask(run.session, repository);
      const { issues, pullRequests, labels, milestones, releases, commitComments } = answer;
      if (!issues || !pullRequests || !labels || !milestones || !releases) return;
      const totals = {
        issues: issues.totalCount,
        pulls: pullRequests.totalCount,
        labels: labels.totalCount,
        milestones: milestones.totalCount,
        releases: releases.totalCount,
        ...(commitComments && { commitComments: commitComments.totalCount }),
      };
      writeNotes(run, { totals, feeds });
      if (features.issues !== false) yield { type: "reported", kind: "issue", count: totals.issues };
      yield { type: "reported", kind: "pull-request", count: totals.pulls };
      yield { type: "reported", kind: "label", count: totals.labels };
      yield { type: "reported", kind: "milestone", count: totals.milestones };
      yield { type: "reported", kind: "release", count: totals.releases };
      if (commitComments)
        yield { type: "reported", kind: "commit-comment", count: commitComments.totalCount };
    } catch (error) {
      if (!mayGoWithout(run, error)) throw error;
    }
  },
};

async function ask(session: Session, repository: RepositoryRun): Promise<{ answer: Totals; feeds: Feeds }> {
  const withDiscussions = repository.features.discussions === true;
  const fields = `${FEED_FIELDS}${withDiscussions ? DISCUSSIONS_FIELD : ""}${COMMIT_COMMENTS}`;
  try {
    const schema = z.object({ ...feedFields, commitComments: count });
    const answer = await askFor(session, repository, { fields, schema });
    return { answer, feeds: await feedsOf(answer) };
  } catch (error) {
    if (!isOutOfReach(error) && !isTooMuch(error)) throw error;
    const order = { fields: `${TOTALS}${COMMIT_COMMENTS}`, schema: z.object(totals) };
    return { answer: await askFor(session, repository, order), feeds: {} };
  }
}

async function askFor<S extends z.ZodType>(
  session: Session,
  { owner, name, fullName }: RepositoryRun,
  { fields, schema }: { fields: string; schema: S },
): Promise<z.output<S>> {
  const answer = (await askGraphql(session, {
    document: `query Totals($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) {${fields}
  }
}`,
    variables: { owner, name },
    schema: z.object({ repository: schema }),
    about: `the totals of ${fullName}`,
  })) as { repository: z.output<S> };
  return answer.repository;
}
