import { capacityOf, GRACE_MS, limitsItems } from "#core/billing/index.ts";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import type { BuyPrompt, PlanBanner, PlanNews, ShellPlatform } from "./shell-view.ts";

/** The most severe first. One banner is shown at a time. */
const SEVERITY: readonly PlanNews["kind"][] = [
  "removed",
  "removal-ahead",
  "paused",
  "ends-soon",
  "beyond",
  "users-beyond",
  "limit",
  "users-changed",
  "trial-ends-today",
  "trial",
];

/** When the notice names the removal, and the first e-mail is written (spec/README "Grace"). */
const REMOVAL_AHEAD_MS = 14 * DAY_MS;

/** The current plan notices of these platforms, the most severe first (spec B-108 to B-112, B-116). */
export function planBanners(platforms: readonly ShellPlatform[], now: number): PlanBanner[] {
  return platforms
    .flatMap((platform) =>
      newsOf(platform, now).map((news) => ({
        platform: platform.id,
        label: platform.label,
        news,
        key: `${platform.id}.${keyOf(news)}`,
      })),
    )
    .sort((a, b) => SEVERITY.indexOf(a.news.kind) - SEVERITY.indexOf(b.news.kind));
}

function newsOf({ id, plan, used, users }: ShellPlatform, now: number): PlanNews[] {
  const { plan: name, endsAt, isActive } = plan;
  if (name === "none") return [];
  const isTrial = name === "trial";
  if (!isActive) {
    const keptUntil = (endsAt ?? now) + GRACE_MS;
    if (now < keptUntil && keptUntil - now <= REMOVAL_AHEAD_MS) return [{ kind: "removal-ahead", keptUntil }];
    return [{ kind: now < keptUntil ? "paused" : "removed", isTrial, keptUntil }];
  }
  const news = limitsItems(id)
    ? roomNews(used, plan.itemLimit, isTrial)
    : isTrial
      ? []
      : userNews(id, users ?? null, plan.itemLimit);
  if (endsAt === null) return news;
  const leftMs = endsAt - now;
  if (isTrial) news.push(leftMs <= DAY_MS ? { kind: "trial-ends-today" } : trialDays(leftMs));
  else if (leftMs <= DAY_MS) news.push({ kind: "ends-soon", endsAt });
  return news;
}

function roomNews(used: number, limit: number, isTrial: boolean): PlanNews[] {
  if (used > limit) return [{ kind: "beyond", used, limit }];
  return used === limit ? [{ kind: "limit", isTrial }] : [];
}

/** A subscription per user follows the number of users on its next renewal; nothing is told while that is not known. */
function userNews(id: string, users: number | null, paid: number): PlanNews[] {
  if (users === null || users === paid) return [];
  const most = capacityOf(id)?.maximum ?? 0;
  if (users > most) return [{ kind: "users-beyond", users, most }];
  // Nobody buys less than one.
  if (users === 0 && paid === 1) return [];
  return [{ kind: "users-changed", users, paid }];
}

/** The remaining days: whole hours divided by 24, rounded (spec part 3 section 3). */
function trialDays(leftMs: number): PlanNews {
  return { kind: "trial", daysLeft: Math.round(Math.floor(leftMs / HOUR_MS) / 24) };
}

function keyOf(news: PlanNews): string {
  return news.kind === "trial" ? `trial-${news.daysLeft}` : news.kind;
}

/**
 * Whether to offer a subscription: something has expired and nothing else is active (spec B-106, B-107). The plan that
 * ended last selects the text. Members never see the offer (spec A-355), and restricted mode has no sales.
 */
export function buyPrompt(
  platforms: readonly ShellPlatform[],
  { isOwner, isRestricted, told }: { isOwner: boolean; isRestricted: boolean; told: string | null },
): BuyPrompt | null {
  if (!isOwner || isRestricted || platforms.some(({ plan }) => plan.isActive)) return null;
  const [last] = platforms
    .filter(({ plan }) => plan.plan !== "none")
    .sort((a, b) => (b.plan.endsAt ?? 0) - (a.plan.endsAt ?? 0));
  if (!last) return null;
  const key = `${last.id}.${(last.plan.endsAt ?? 0).toString(36)}`;
  if (told === key) return null;
  return { kind: last.plan.plan === "trial" ? "trial" : "subscription", platform: last.id, key };
}
