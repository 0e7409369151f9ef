import type { PlatformConnector } from "#connectors/contract/platform-connector.ts";
import { WHOLE_EVERY_DAYS, weekStart } from "#connectors/toolkit/records/backup-state.ts";

/** What no feed of GitHub covers (README, Backup). A gist has nothing of the kind: each backup reads it whole. */
const WHAT = "Projects, settings, reactions, edits of comments, and events such as mentions";

/** Tells what a version of a repository may hold that is older than the version. */
export const undated: NonNullable<PlatformConnector["undated"]> = ({ kind, externalId, takenAt }) =>
  kind === "repository"
    ? [{ what: WHAT, mostDays: WHOLE_EVERY_DAYS, notBefore: weekStart(externalId, takenAt) }]
    : [];
