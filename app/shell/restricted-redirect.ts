/** Paths that sell, connect or need a plan. In restricted mode they are closed without a plan (spec A-073). */
const CLOSED = /^\/(?:audit|subscriptions|app-connector|checkout|payment|payment-history)(?:\/|$)/;
const PLATFORM = /^\/platform\/(?:dashboard|backups)\/([^/]+)/;

/**
 * True when restricted mode closes a page: a platform's pages without an active plan for it; the audit trail,
 * subscriptions, payments, connector and checkout without the Pro plan. `activePlatforms` contains ids.
 */
export function isClosedInRestrictedMode(
  pathname: string,
  { hasProPlan, activePlatforms }: { hasProPlan: boolean; activePlatforms: readonly string[] },
): boolean {
  const platform = PLATFORM.exec(pathname)?.[1];
  if (platform !== undefined) return !hasProPlan && !activePlatforms.includes(platform);
  return CLOSED.test(pathname) && !hasProPlan;
}
