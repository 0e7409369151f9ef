import type { Entitlements } from "#core/billing/entitlements-view.ts";

/** A platform of the rail: one that was ever started and that the member may use. */
export type ShellPlatform = {
  id: string;
  label: string;
  /** Name of the connected account; null while none is connected. */
  accountName: string | null;
  isRevoked: boolean;
  plan: Pick<Entitlements, "plan" | "isActive" | "endsAt" | "itemLimit">;
  /** Protected items of the platform. */
  used: number;
};

/** What the signed-in frame shows around every screen. */
export type ShellView = {
  member: {
    userId: string;
    /** As a whole; its parts follow. */
    name: string;
    givenName: string;
    familyName: string;
    email: string;
    timeZone: string;
    isOwner: boolean;
    /** Address of the photo; null without one. */
    picture: string | null;
  };
  /** Platforms whose trial status is not "not started" (spec A-092), in registry order. */
  platforms: ShellPlatform[];
  /** The organisation ever had a trial or a subscription; before that there is no rail (spec A-076). */
  hadEverAnySubscriptions: boolean;
  /** Any platform has the Pro plan or a running trial. */
  hasProPlan: boolean;
  /** Embedded or marketplace mode, which hides what sells (spec ). */
  isRestricted: boolean;
  /** `timeoff` in the address is heeded here. */
  mayTimeOff: boolean;
  /** The help centre; empty = the contact page. */
  helpUrl: string;
  /** Whether the buy-subscription dialog opens now, and with which words; it opens once (spec B-106, B-107). */
  buyPrompt: BuyPrompt | null;
  /** What the plans have to tell, the most severe first. */
  banners: PlanBanner[];
  /** Server time in epoch ms; pages reckon with it until their own clock ticks. */
  now: number;
  /** The rail is folded to its icons. */
  isCollapsed: boolean;
};

/** What a plan has to tell on one platform. Times in epoch ms. */
export type PlanNews =
  | { kind: "trial"; daysLeft: number }
  | { kind: "trial-ends-today" }
  | { kind: "limit"; isTrial: boolean }
  /** A subscription that was cancelled and has less than a day left (spec B-116). */
  | { kind: "ends-soon"; endsAt: number }
  | { kind: "paused"; isTrial: boolean; keptUntil: number }
  | { kind: "removed"; isTrial: boolean; keptUntil: number };

export type PlanBanner = { platform: string; label: string; news: PlanNews; key: string };

export type BuyPrompt = {
  kind: "trial" | "subscription";
  platform: string;
  /** Names this end of this plan, so that it is told once. */
  key: string;
};

/** Cookie that remembers the folded rail. */
export const RAIL_COOKIE = "rail=min";

/** Cookie that remembers which end of a plan the buy-subscription dialog has told. */
export const BUY_COOKIE = "buy-told";
