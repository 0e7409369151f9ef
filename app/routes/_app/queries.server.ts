import { type AppLoadContext, redirect } from "@remix-run/cloudflare";
import { orFailure } from "#app/session/refusal.server.ts";
import { requireMember } from "#app/session/require-member.server.ts";
import { buyPrompt, planBanners } from "#app/shell/plan-banners.server.ts";
import { isClosedInRestrictedMode } from "#app/shell/restricted-redirect.ts";
import { BUY_COOKIE, RAIL_COOKIE, type ShellPlatform, type ShellView } from "#app/shell/shell-view.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { limitsItems, listPlans } from "#core/billing/index.ts";
import { listAllConnections } from "#core/connections/index.ts";
import { countProtectedItems } from "#core/inventory/index.ts";
import { canManage, canUse } from "#core/organisations/index.ts";
import { findPersonCard } from "#core/profiles/index.ts";
import { totalSeats } from "#core/seats/index.ts";

/** Where pages lead without a session, if not to the sign-in and back. */
const VISITORS: Readonly<Record<string, string>> = {
  // Visitors who cannot sign in get the contact page without sign-in.
  "/contact": "/auth/contact",
  // Spec B-096. The start page leads to the sign-in.
  "/audit": "/",
};

/** The shell's data: the signed-in user, the started platforms and their plan notices. */
export async function shellOf(context: AppLoadContext, request: Request): Promise<ShellView> {
  const { pathname } = new URL(request.url);
  const away = context.member === null ? VISITORS[pathname] : undefined;
  if (away !== undefined) throw redirect(away);
  const member = requireMember(context, request);
  const { services } = context;
  /* Taken before reading: the page may lack changes after this time. */
  const now = services.clock.now();
  const [plans, card, { connections, used }] = await orFailure(context, () =>
    Promise.all([
      listPlans(services, member.organisationId),
      findPersonCard(services, member),
      listAllConnections(services, member).then(async (connections) => ({
        connections,
        used: await countProtectedItems(services, member, connections),
      })),
    ]),
  );
  const platforms = descriptors.flatMap(({ id, label }): ShellPlatform[] => {
    const plan = plans.get(id);
    if (!plan || !canUse(member, id)) return [];
    const own = connections.filter(({ platform }) => platform === id);
    return [
      {
        id,
        label,
        accountName: own[0]?.name ?? null,
        isRevoked: own.some(({ status }) => status === "revoked"),
        plan: {
          plan: plan.plan,
          isActive: plan.isActive,
          endsAt: plan.endsAt,
          itemLimit: plan.quantity,
        },
        used: used.get(id) ?? 0,
        ...(limitsItems(id) ? {} : { users: totalSeats(own).count }),
      },
    ];
  });
  const hasProPlan = [...plans.values()].some(({ hasProFeatures }) => hasProFeatures);
  const isRestricted = services.settings.RESTRICTED_MODE === "on";
  if (isRestricted) closeRestricted(request, { platforms, hasProPlan });
  const isOwner = member.role === "owner";
  const managed = platforms.filter(({ id, plan }) => isOwner || (canManage(member, id) && plan.isActive));
  const cookies = request.headers.get("Cookie") ?? "";
  return {
    member: {
      userId: member.userId,
      name: member.name,
      email: member.email,
      timeZone: member.timeZone,
      isOwner,
      picture: card?.picture ?? null,
      givenName: card?.name ?? "",
      familyName: card?.familyName ?? "",
    },
    platforms,
    hadEverAnySubscriptions: plans.size > 0,
    hasProPlan,
    can: {
      backUp: managed.some(({ id }) => plans.get(id)?.hasProFeatures),
      restore: managed.length > 0,
    },
    isRestricted,
    mayTimeOff: services.settings.SESSION_TIMEOFF === "on",
    helpUrl: isRestricted ? "" : services.settings.HELP_URL,
    buyPrompt: buyPrompt(platforms, { isOwner, isRestricted, told: seenPrompt(cookies) }),
    banners: planBanners(platforms, now),
    now,
    isCollapsed: cookies.includes(RAIL_COOKIE),
  };
}

/** @throws a redirect to the dashboard from a page that restricted mode closes (spec A-073) */
function closeRestricted(
  request: Request,
  { platforms, hasProPlan }: { platforms: readonly ShellPlatform[]; hasProPlan: boolean },
): void {
  const activePlatforms = platforms.filter(({ plan }) => plan.isActive).map(({ id }) => id);
  const { pathname } = new URL(request.url);
  if (isClosedInRestrictedMode(pathname, { hasProPlan, activePlatforms })) throw redirect("/");
}

function seenPrompt(cookies: string): string | null {
  return new RegExp(`(?:^|;\\s*)${BUY_COOKIE}=([a-z0-9.-]+)`).exec(cookies)?.[1] ?? null;
}
