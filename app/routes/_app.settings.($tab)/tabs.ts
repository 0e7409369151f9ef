import type { Me } from "./wire-types.ts";

/** The tabs in display order, each with its path segment; the first is `/settings` itself (spec ). */
export const TABS = ["details", "security", "payment", "storage", "users", "reporting"] as const;
export type Tab = (typeof TABS)[number];

/** The tab of a path segment. No segment is the first tab; null for unknown tabs. */
export function tabOf(segment: string | undefined): Tab | null {
  if (segment === undefined) return "details";
  return TABS.find((tab) => tab === segment && tab !== "details") ?? null;
}

/** The path of a tab. */
export function pathOf(tab: Tab): string {
  return tab === "details" ? "/settings" : `/settings/${tab}`;
}

type Seer = Pick<Me, "isSubUser" | "roles" | "organization_name" | "account_type">;

/**
 * The tabs that a user may see. Restricted members do not see payment and users, and see storage only with an admin
 * right on some platform. User Management needs an organisation name or an account of the type
 * Organization, because the name is set in that tab.
 */
export function visibleTabs(me: Seer): Tab[] {
  return TABS.filter((tab) => {
    if (tab === "payment") return !me.isSubUser;
    if (tab === "storage") return !me.isSubUser || me.roles.some((role) => role.endsWith("_admin"));
    if (tab === "users") {
      return !me.isSubUser && (Boolean(me.organization_name) || me.account_type === "Organization");
    }
    return true;
  });
}
