import { type AppLoadContext, redirect } from "@remix-run/cloudflare";
import { orFailure } from "#app/session/refusal.server.ts";
import { requireMember } from "#app/session/require-member.server.ts";
import { listPlans } from "#core/billing/index.ts";
import { getOverview } from "#core/overview/index.ts";
import { type RunningSubscription, runningSubscriptions } from "#core/payments/index.ts";

/** How long the versions of a plan are kept, and the time between two scheduled backups. */
export type Keeping = {
  retentionDays: number;
  periodMs: number;
  /** Null: a trial, a plan that was agreed on with us, or one that has ended. */
  running: RunningSubscription | null;
};

/** The dashboard's data. Redirects to the connector when no account is connected (spec A-074). */
export async function homeOf(context: AppLoadContext, request: Request) {
  const member = requireMember(context, request);
  const { services } = context;
  const [overview, plans, running] = await orFailure(context, () =>
    Promise.all([
      getOverview(services, member),
      listPlans(services, member.organisationId),
      runningSubscriptions(services, member),
    ]),
  );
  /* Restricted mode has no connector. */
  const isRestricted = services.settings.RESTRICTED_MODE === "on";
  if (overview.platforms.length === 0 && !isRestricted)
    throw redirect(connectorPath(request, services.settings.FRAME));
  const keeping: Record<string, Keeping> = Object.fromEntries(
    [...plans].map(([id, { retentionDays, periodMs }]) => [
      id,
      { retentionDays, periodMs, running: running.get(id) ?? null },
    ]),
  );
  return { overview, keeping };
}

/**
 * The path of the connector. In a host's frame a parameter names the platform, which is then chosen at first (spec A-075). In
 * any other frame it can only be Jira's, as Sec-Fetch-Dest names the kind of document.
 */
function connectorPath(request: Request, frame: { platform: string } | undefined): string {
  if (frame) return `/app-connector?${frame.platform}InIframe=true`;
  return request.headers.get("Sec-Fetch-Dest") === "iframe"
    ? "/app-connector?jiraInIframe=true"
    : "/app-connector";
}
