import { z } from "zod";
import { type BackupStage, mayGoWithout } from "#connectors/toolkit/records/run-stages.ts";
import { askGraphql } from "../graphql.ts";
import { openRepository, writeNotes } from "./repository-run.ts";

const TOTALS = `query Totals($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) {
    issues { totalCount }
    pullRequests { totalCount }
    labels { totalCount }
    milestones { totalCount }
    releases { totalCount }
    commitComments { totalCount }
  }
}`;
const count = z.object({ totalCount: z.int().nonnegative() }).nullable();
const schema = z.object({
  repository: z.object({
    issues: count,
    pullRequests: count,
    labels: count,
    milestones: count,
    releases: count,
    commitComments: count,
  }),
});

/**
 * Reads GitHub's own totals of issues, pull requests and so on, in one query. They show whether the snapshot is
 * complete, and let the next one detect deletions. If the query fails, everything is still read, and deletions wait for
 * the weekly full read.
 */
export const totalsStage: BackupStage = {
  id: "totals",
  async *run(run) {
    if (run.known !== null) {
      for (const prefix of ["issues/", "pulls/"]) yield { type: "keep-all", prefix };
    }
    const { owner, name, fullName, features } = openRepository(run);
    const question = {
      document: TOTALS,
      variables: { owner, name },
      schema,
      about: `the totals of ${fullName}`,
    };
    try {
      const { repository } = await askGraphql(run.session, question);
      const { issues, pullRequests, labels, milestones, releases, commitComments } = repository;
      if (!issues || !pullRequests || !labels || !milestones || !releases) return;
      const totals = {
        issues: issues.totalCount,
        pulls: pullRequests.totalCount,
        labels: labels.totalCount,
        milestones: milestones.totalCount,
        releases: releases.totalCount,
        ...(commitComments && { commitComments: commitComments.totalCount }),
      };
      writeNotes(run, { totals });
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
