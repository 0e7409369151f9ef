import type { PlatformPlace, RestoreOrder } from "#connectors/contract/platform-connector.ts";
import type { RestoreAnswers } from "#connectors/contract/restore-question.ts";

/** The order to restore a whole version as a new item. */
export function asNew(
  name: string,
  { place = null, answers = {} }: { place?: PlatformPlace | null; answers?: RestoreAnswers } = {},
): RestoreOrder {
  return { target: { kind: "new", name, place }, part: null, answers };
}
