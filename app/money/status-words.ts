import type { SubscriptionView } from "./billing-queries.ts";

type State = SubscriptionView["status"];

/** How a state is shown: its words, and whether somebody must act. */
export type StatusChip = {
  /** In lower case, underscores as spaces (spec B-056). */
  word: string;
  tone: "ok" | "warn" | "bad" | "quiet" | "ended";
};

/** Ended: they can be bought again (spec B-164). */
const ENDED: ReadonlySet<State> = new Set(["canceled", "incomplete_expired", "inactive"]);
/** Need attention (spec B-165). */
const ATTENTION: ReadonlySet<State> = new Set(["unpaid", "incomplete", "past_due", "trialing", "paused"]);

/** Words other than the state's own name (spec B-053 to B-055). */
const WORDS: Partial<Record<State, string>> = {
  trialing: "trial period",
  incomplete: "error",
  paused: "error",
  canceled: "inactive",
  incomplete_expired: "inactive",
};

/** The chip of a subscription. One that was cancelled and still runs is "cancelling". */
export function statusChip({ status, isCancel }: Pick<SubscriptionView, "status" | "isCancel">): StatusChip {
  if (status === "active" && isCancel) return { word: "cancelling", tone: "quiet" };
  const word = WORDS[status] ?? status.replaceAll("_", " ");
  if (isEnded(status)) return { word, tone: "ended" };
  if (status === "active") return { word, tone: "ok" };
  return { word, tone: status === "trialing" ? "warn" : "bad" };
}

export const isEnded = (status: State) => ENDED.has(status);
export const needsAttention = (status: State) => ATTENTION.has(status);

/** The subscription's last payment failed, and it is kept for now. */
export const isUnpaid = (status: State) => status === "past_due" || status === "unpaid";

/** Cancelling is for active subscriptions that are no trial and not cancelled (spec B-172 to B-174). */
export function canCancel({
  status,
  plan,
  isCancel,
}: Pick<SubscriptionView, "status" | "plan" | "isCancel">) {
  return status === "active" && plan !== "trial" && plan !== null && !isCancel;
}

/** Why cancelling is not possible; null when it is. */
export function cancelRefusal(
  subscription: Pick<SubscriptionView, "status" | "plan" | "isCancel">,
): "trial" | "cancelled" | "not-active" | null {
  if (canCancel(subscription)) return null;
  if (subscription.plan === "trial") return "trial";
  return subscription.isCancel ? "cancelled" : "not-active";
}

/** From the worst to the best: what needs money, what ends, what runs, what is over. */
const ORDER: readonly State[] = [
  "unpaid",
  "past_due",
  "incomplete",
  "paused",
  "trialing",
  "active",
  "incomplete_expired",
  "canceled",
  "inactive",
];

/** The order of the list: the worst first, and those that end before those that renew. */
export function compareSubscriptions(a: SubscriptionView, b: SubscriptionView): number {
  const rank = ({ status, isCancel }: SubscriptionView) => ORDER.indexOf(status) * 2 + (isCancel ? 0 : 1);
  return rank(a) - rank(b) || a.platformName.localeCompare(b.platformName, "en");
}
