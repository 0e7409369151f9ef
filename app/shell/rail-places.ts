import { shellCopy as copy } from "#app/copy/shell.ts";
import type { ShellView } from "./shell-view.ts";
import { supportAddress } from "./support.ts";

/** A fixed link of the sidebar. */
export type RailPlace = {
  icon: "dashboard" | "connector" | "subscriptions" | "audit" | "profile" | "support";
  label: string;
  /** One of our paths, or the help centre's URL. */
  to: string;
};

/**
 * The fixed links in display order (spec ). Restricted mode hides connector and subscriptions, and shows
 * the audit trail only with a Pro plan.
 */
export function railPlaces(shell: Pick<ShellView, "isRestricted" | "hasProPlan" | "helpUrl">): RailPlace[] {
  const sells = !shell.isRestricted;
  const places: (RailPlace | false)[] = [
    { icon: "dashboard", label: copy.dashboard, to: "/" },
    sells && { icon: "connector", label: copy.connector, to: "/app-connector" },
    sells && { icon: "subscriptions", label: copy.subscriptions, to: "/subscriptions" },
    (sells || shell.hasProPlan) && { icon: "audit", label: copy.audit, to: "/audit" },
    { icon: "profile", label: copy.profile, to: "/profile" },
    { icon: "support", label: copy.support, to: supportAddress(shell) },
  ];
  return places.filter((place) => place !== false);
}
