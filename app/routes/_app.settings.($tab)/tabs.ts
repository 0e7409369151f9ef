import type { Me } from "./settings.schema.ts";

/** The tabs in their order, each with the last part of its address; the first is `/settings` itself (spec ). */
export const TABS = ["details", "security", "payment", "storage", "users", "reporting"] as const;
export type Tab = (typeof TABS)[number];

/** The tab an address names: none is the first one; null for a tab that does not exist. */
export function tabOf(segment: string | undefined): Tab | null {
  if (segment === undefined) return "details";
  return TABS.find((tab) => tab === segment && tab !== "details") ?? null;
}

/** Where a tab is. */
export function pathOf(tab: Tab): string {
  return tab === "details" ? "/settings" : `/settings/${tab}`;
}

type Seer = Pick<Me, "isSubUser" | "roles" | "organization_name" | "account_type">;

/**
 * The tabs that a person sees. Restricted members have neither payment nor users, and storage only with an admin right
 * on some platform. User Management needs an organisation name or an account of the type
 * Organization, because the name is given inside that tab.
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
