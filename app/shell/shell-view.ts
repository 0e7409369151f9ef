import type { Entitlements } from "#core/billing/entitlements-view.ts";

/** A platform in the sidebar: it was started at some time, and the member may use it. */
export type ShellPlatform = {
  id: string;
  label: string;
  /** Name of the connected account; null without a connection. */
  accountName: string | null;
  isRevoked: boolean;
  /** `itemLimit` is the plan's quantity: items, or users where `users` is present. */
  plan: Pick<Entitlements, "plan" | "isActive" | "endsAt" | "itemLimit">;
  /** Protected items of the platform. */
  used: number;
  /** The users of the connected accounts; null while they are not known. Absent = the plan counts items. */
  users?: number | null;
};

/** Data for the frame around every signed-in screen. */
export type ShellView = {
  member: {
    userId: string;
    /** The full name; its parts follow. */
    name: string;
    givenName: string;
    familyName: string;
    email: string;
    timeZone: string;
    isOwner: boolean;
    /** URL of the photo; null if there is none. */
    picture: string | null;
  };
  /** Platforms whose trial status is not "not started" (spec A-092), in registry order. */
  platforms: ShellPlatform[];
  /** The organisation has or had a trial or a subscription. Before that, there is no sidebar (spec A-076). */
  hadEverAnySubscriptions: boolean;
  /** Any platform has the Pro plan or a running trial. */
  hasProPlan: boolean;
  /** What the member may do on any platform: Backup now, and restoring. */
  can: { backUp: boolean; restore: boolean };
  /** Embedded or marketplace mode, which hides sales (spec ). */
  isRestricted: boolean;
  /** Whether `timeoff` in the URL is allowed. */
  mayTimeOff: boolean;
  /** URL of the help centre; empty = the contact page. */
  helpUrl: string;
  /** The buy-subscription dialog to open now; it opens once (spec B-106, B-107). */
  buyPrompt: BuyPrompt | null;
  /** Plan notices, the most severe first. */
  banners: PlanBanner[];
  /** Server time in epoch ms. Pages use it until their own clock ticks. */
  now: number;
  /** The sidebar is collapsed to icons. */
  isCollapsed: boolean;
};

/** A plan notice for one platform. Times in epoch ms. */
export type PlanNews =
  | { kind: "trial"; daysLeft: number }
  | { kind: "trial-ends-today" }
  | { kind: "limit"; isTrial: boolean }
  /** More is protected than the plan includes, so some items are paused. */
  | { kind: "beyond"; used: number; limit: number }
  /** The number of users is not the one that was paid for (spec B-114, B-115). */
  | { kind: "users-changed"; users: number; paid: number }
  /** More users than can be bought without us. */
  | { kind: "users-beyond"; users: number; most: number }
  /** A cancelled subscription with less than a day left (spec B-116). */
  | { kind: "ends-soon"; endsAt: number }
  | { kind: "paused"; isTrial: boolean; keptUntil: number }
  /** Paused, and the backups are removed within fourteen days. */
  | { kind: "removal-ahead"; keptUntil: number }
  | { kind: "removed"; isTrial: boolean; keptUntil: number };

export type PlanBanner = { platform: string; label: string; news: PlanNews; key: string };

export type BuyPrompt = {
  kind: "trial" | "subscription";
  platform: string;
  /** Identifies this end of this plan, so that the dialog opens only once. */
  key: string;
};

/** Cookie of the collapsed sidebar. */
export const RAIL_COOKIE = "rail=min";

/** Cookie with the ended plan that the buy-subscription dialog was last shown for. */
export const BUY_COOKIE = "buy-told";
