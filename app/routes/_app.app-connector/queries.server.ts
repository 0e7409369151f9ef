import type { AppLoadContext } from "@remix-run/cloudflare";
import { personOf } from "#app/accounts/account-person.ts";
import { regionFacts } from "#app/copy/regions.ts";
import { listOffers, type Offer } from "#app/money/offers.server.ts";
import { orFailure } from "#app/session/refusal.server.ts";
import { requireMember } from "#app/session/require-member.server.ts";
import { noticeIn } from "#app/session/url-notice.server.ts";
import type { UrlNotice } from "#app/session/url-notice.ts";
import type { PlatformDescriptor } from "#connectors/contract/descriptor.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { entitlementsOf } from "#core/billing/index.ts";
import { listAllConnections, listCandidates, savedRegion } from "#core/connections/index.ts";
import type { ChoiceView, ConnectionView } from "#core/connections/views.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { REGIONS, type Region } from "#core/kernel/platform-id.ts";
import { canUse, type Member, mayManage } from "#core/organisations/index.ts";

/** A connected account, as its page shows it. */
export type ConnectorAccount = {
  isRevoked: boolean;
  /** The workspace that the consent of its person opens; null = accounts of the platform are no persons. */
  workspace: string | null;
} & Pick<
  ConnectionView,
  | "id"
  | "name"
  | "accountType"
  | "region"
  | "isAutoAdd"
  | "isConfirmed"
  | "lostReason"
  | "credentials"
  | "seats"
  | "peopleProblem"
>;

/** One application in step 1. */
export type ConnectorApp = {
  id: string;
  label: string;
  canManage: boolean;
  /** Only the owner may reconnect, change, add or remove accounts (spec P-309). */
  isOwner: boolean;
  /** May connect an account: the owner, and for the first account a manager, unless a consent is an item (spec P-302). */
  mayConnect: boolean;
  /** Installation page of the platform's app; null if it has none. */
  installUrl: string | null;
  /** Its cheapest price; null = it is not sold. */
  offer: Offer | null;
  /** A trial or subscription was started once. */
  hasStarted: boolean;
  /** The account's region. Without an account: the saved region, or the first one offered. */
  region: Region;
  /** Every connected account, oldest first. */
  accounts: ConnectorAccount[];
  /** The account that the page shows; null = none, or several to choose from. */
  connection: ConnectorAccount | null;
  /** True while another account is being added. */
  isAdding: boolean;
};

/** The query parameters of the page: `account` is an id or `new`, `region` that of a new account. */
type Asked = { platform: string | null; account: string | null; step: string | null; region: string | null };

/** Returns the platforms that the member may see, with their accounts and the state in the URL. */
export async function connectorOf(context: AppLoadContext, request: Request) {
  const member = requireMember(context, request);
  const search = new URL(request.url).searchParams;
  const asked: Asked = {
    platform: search.get("platform"),
    account: search.get("account"),
    step: search.get("step"),
    region: search.get("region"),
  };
  const appsAsked = orFailure(context, async () => {
    const connections = await listAllConnections(context.services, member);
    return Promise.all(
      descriptors
        .filter(({ id }) => canUse(member, id))
        .map((descriptor) => {
          const own = connections.filter(({ platform }) => platform === descriptor.id).map(toAccount);
          return appOf(context, member, { descriptor, accounts: own, asked });
        }),
    );
  });
  const [apps, error, warning, choice] = await Promise.all([
    appsAsked,
    noticeIn(context, request, "error_message"),
    noticeIn(context, request, "warning_message"),
    choiceOf(context, member, search),
  ]);
  return { apps, error: error ?? choice.error, warning, choice: choice.view };
}

/** A pending choice among the accounts of a consent. */
export type ConnectorChoice = { id: string } & ChoiceView;

async function choiceOf(
  { services }: AppLoadContext,
  member: Member,
  search: URLSearchParams,
): Promise<{ view: ConnectorChoice | null; error: UrlNotice | null }> {
  const [platform, choiceId] = [search.get("platform"), search.get("choice")];
  if (!platform || !choiceId) return { view: null, error: null };
  try {
    const view = await listCandidates(services, member, { platform, choiceId });
    return { view: { id: choiceId, ...view }, error: null };
  } catch (cause) {
    // The choice expired or is another person's. The consent page can be opened again.
    if (!(cause instanceof AppError)) throw cause;
    return { view: null, error: { text: cause.message, isOurs: true } };
  }
}

async function appOf(
  { services }: AppLoadContext,
  member: Member,
  {
    descriptor: { id, label, supports },
    accounts,
    asked,
  }: { descriptor: PlatformDescriptor; accounts: ConnectorAccount[]; asked: Asked },
): Promise<ConnectorApp> {
  const isOwner = member.role === "owner";
  const isAsked = asked.platform === id;
  const isAdding = isAsked && asked.account === "new" && accounts.length > 0;
  const connection = isAdding ? null : shownAccount(accounts, isAsked ? asked : null);
  const wanted = isAdding ? REGIONS.find((region) => region === asked.region) : undefined;
  const saved = accounts.length > 0 ? null : await savedRegion(services, member, id);
  const usual = saved ?? accounts[0]?.region ?? regionFacts[0]?.region ?? "DE";
  return {
    id,
    label,
    hasStarted: (await entitlementsOf(services, member.organisationId, id)).plan !== "none",
    region: connection?.region ?? wanted ?? usual,
    canManage: await mayManage(services, member, id),
    offer: listOffers().find((offer) => offer.id === id) ?? null,
    isOwner,
    mayConnect: isOwner || (accounts.length === 0 && !supports.itemPerConsent),
    installUrl: services.connectors.get(id)?.authoriser.installUrl?.(services.connectorConfig) ?? null,
    accounts,
    connection,
    isAdding,
  };
}

/** Returns the account in the URL, the only one, or at step `authorize` the first revoked one, else the first. */
function shownAccount(accounts: readonly ConnectorAccount[], asked: Asked | null): ConnectorAccount | null {
  const [first] = accounts;
  if (first === undefined || accounts.length === 1) return first ?? null;
  const named = accounts.find(({ id }) => id === asked?.account);
  if (named || asked?.step !== "authorize") return named ?? null;
  return accounts.find(({ isRevoked }) => isRevoked) ?? first;
}

const descriptorOf = (platform: string) => descriptors.find(({ id }) => id === platform);

const toAccount = (view: ConnectionView): ConnectorAccount => ({
  id: view.id,
  name: view.name,
  accountType: view.accountType,
  region: view.region,
  isRevoked: view.status === "revoked",
  workspace: descriptorOf(view.platform)?.accountWord === undefined ? null : personOf(view).workspace,
  isAutoAdd: view.isAutoAdd,
  isConfirmed: view.isConfirmed,
  lostReason: view.lostReason,
  credentials: view.credentials,
  ...(view.seats ? { seats: view.seats } : {}),
  ...(view.peopleProblem ? { peopleProblem: view.peopleProblem } : {}),
});
