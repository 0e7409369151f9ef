import type { RemovalRow } from "./removal.store.ts";

/** What is known of a platform's right when its removal is due. */
export type Standing = { endsAt: number | null; isBuying: boolean };

/**
 * Whether a removal may go on. `stop`: the right came back, or it is not the right whose end was announced. `wait`: it is
 * not time, or somebody is buying the platform just now. Once it has begun, only a right that runs stops it, because
 * ending a subscription may change the recorded end.
 */
export function judge(
  removal: Pick<RemovalRow, "state" | "endedAt" | "removalAt" | "warnedAgainAt">,
  standing: Standing | undefined,
  now: number,
): "go" | "wait" | "stop" {
  if (!standing || standing.endsAt === null || standing.endsAt > now) return "stop";
  if (removal.state === "ahead" && standing.endsAt !== removal.endedAt) return "stop";
  if (standing.isBuying || removal.warnedAgainAt === null || removal.removalAt > now) return "wait";
  return "go";
}
