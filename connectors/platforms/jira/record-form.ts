import { tidyJson } from "#connectors/toolkit/records/tidy-json.ts";
import type { Json } from "#core/kernel/canonical-json.ts";

/** Fields that change by themselves, are derived from other fields, or describe us instead of the thing. */
const VOLATILE = new Set([
  "self",
  "expand",
  "avatarUrls",
  "iconUrl",
  "avatarId",
  "lastViewed",
  "workratio",
  "aggregateprogress",
  "aggregatetimespent",
  "aggregatetimeestimate",
  "aggregatetimeoriginalestimate",
  "progress",
  "hasVoted",
  "isWatching",
  "emailAddress",
  "timeZone",
  "accountType",
  "active",
  "thumbnail",
]);

/** A copy without volatile fields, so that equal content gives equal bytes. */
export function recordForm(value: unknown): Json {
  return tidyJson(value as Json, (key, member) =>
    VOLATILE.has(key) || member === undefined ? undefined : member,
  );
}
