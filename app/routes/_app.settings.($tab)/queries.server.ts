import { type AppLoadContext, redirect } from "@remix-run/cloudflare";
import { orFailure } from "#app/session/refusal.server.ts";
import { requireMember } from "#app/session/require-member.server.ts";
import { noticeIn } from "#app/session/url-notice.server.ts";
import type { UrlNotice } from "#app/session/url-notice.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { entitlementsOf } from "#core/billing/index.ts";
import { listConnections } from "#core/connections/index.ts";
import { listInvitees, type Member } from "#core/organisations/index.ts";
import { billingAccount, type CompanyView } from "#core/payments/index.ts";
import { getStartInfo, type StartInfo } from "#core/profiles/index.ts";
import { getPreferences } from "#core/reports/index.ts";
import type { PlatformFacts } from "./settings-context.tsx";
import { type Tab, tabOf, visibleTabs } from "./tabs.ts";
import type { InvitedUsers, Me, WirePreferences } from "./wire-types.ts";

/** The initial data of all settings panels. */
export type SettingsData = {
  tab: Tab;
  me: Me;
  /** Null for members, who may not see the invited users. */
  users: InvitedUsers | null;
  preferences: WirePreferences;
  platforms: PlatformFacts[];
  /** The message from a storage's consent, if the URL has one. */
  notice: UrlNotice | null;
};

/**
 * The data of the settings page.
 * @throws a 404 for a tab that does not exist, a redirect to the first tab from a tab that the member may not see
 */
export async function settingsOf(
  context: AppLoadContext,
  request: Request,
  segment: string | undefined,
): Promise<SettingsData> {
  const member = requireMember(context, request);
  const tab = tabOf(segment);
  if (!tab) throw new Response(null, { status: 404 });
  const { services } = context;
  const [info, account, users, preferences, platforms] = await orFailure(context, () =>
    Promise.all([
      getStartInfo(services, member),
      member.role === "owner" ? billingAccount(services, member.organisationId) : null,
      member.role === "owner" ? invitedUsers(context, member) : null,
      getPreferences(services, member),
      Promise.all(descriptors.map(({ id }) => factsOf(context, member, id))),
    ]),
  );
  const me = toMe(info, account?.company ?? null);
  if (!visibleTabs(me).includes(tab)) throw redirect("/settings");
  const { frequency, reportType, reportDay } = preferences;
  return {
    tab,
    me,
    users,
    preferences: { frequency, report_type: reportType, report_day: reportDay },
    platforms,
    notice: await noticeIn(context, request, "error_message"),
  };
}

/** The profile in wire format, so that a later refetch can replace it. */
function toMe(info: StartInfo, company: CompanyView | null): Me {
  const { userId, email, name, familyName, picture, isSubUser, roles, isSubscribedToMail } = info;
  return {
    sub: userId,
    email,
    name,
    family_name: familyName,
    picture,
    organization_name: info.organisationName,
    account_type: info.accountType,
    isSubUser,
    roles,
    isSubscribedToMail,
    two_factor_enabled: info.isTwoFactorEnabled,
    company: company && toCompany(company),
  };
}

/** The company in wire format. */
function toCompany({ name, address, taxIds }: CompanyView): NonNullable<Me["company"]> {
  const { postalCode, ...rest } = address;
  return {
    name,
    address: { ...rest, postal_code: postalCode },
    tax_details: taxIds.map(({ id, type, value, state }) => ({ id, type, value, status: state })),
  };
}

/** The invited users in wire format. */
async function invitedUsers({ services }: AppLoadContext, owner: Member): Promise<InvitedUsers> {
  const { invitees, invitationsLeft } = await listInvitees(services, owner);
  return {
    organization_users: invitees.map(({ sub, email, name, familyName, roles }) => ({
      ...{ sub, email, roles },
      ...(name === null ? {} : { name, family_name: familyName }),
    })),
    invitations_left: invitationsLeft,
  };
}

async function factsOf({ services }: AppLoadContext, member: Member, id: string): Promise<PlatformFacts> {
  const [{ hasProFeatures }, connections] = await Promise.all([
    entitlementsOf(services, member.organisationId, id),
    listConnections(services, member, { platform: id }),
  ]);
  return { id, isPaid: hasProFeatures, isConnected: connections.some(({ status }) => status === "active") };
}
