import { type AppLoadContext, data, redirect } from "@remix-run/cloudflare";
import { type AccountPerson, personOf } from "#app/accounts/account-person.ts";
import { orFailure } from "#app/session/refusal.server.ts";
import { requireMember } from "#app/session/require-member.server.ts";
import { noticeIn } from "#app/session/url-notice.server.ts";
import type { UrlNotice } from "#app/session/url-notice.ts";
import type { PlatformDescriptor } from "#connectors/contract/descriptor.ts";
import type { RestoreWords } from "#connectors/contract/platform-ui.ts";
import { withoutFacts } from "#connectors/contract/row-facts.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { restoreWords } from "#connectors/registry/restore-words.generated.ts";
import type { Entitlements } from "#core/billing/entitlements-view.ts";
import { entitlementsOf } from "#core/billing/index.ts";
import { findChoiceId, listConnections, listPlaces } from "#core/connections/index.ts";
import type { ConnectionView, PlaceView } from "#core/connections/views.ts";
import { listItems } from "#core/inventory/index.ts";
import type { ItemListView } from "#core/inventory/views.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { canUse, type Member, mayManage } from "#core/organisations/index.ts";
import { accountNames } from "./account-names.ts";
import { ITEMS_PER_PAGE, type ListQuery, parseListQuery } from "./list-query.ts";
import { closedAtIn } from "./reminder.ts";

/** The data for the first rendering of an item list. */
export type ItemListPage = {
  platform: string;
  label: string;
  connection: Omit<ConnectionView, "facts">;
  /** Every connected account of the platform, oldest first. */
  accounts: AccountChoice[];
  places: PlaceView[];
  query: ListQuery;
  list: ItemListView;
  entitlements: Entitlements;
  canManage: boolean;
  /** Installation page of the platform's app; null if it has none. */
  installUrl: string | null;
  /** What versions will contain, for users who have not protected anything yet; otherwise null. */
  firstWords: Pick<RestoreWords, "comesBack" | "cannot"> | null;
  /** The message in the address, e.g. why an account could not be connected (spec P-009). */
  notice: UrlNotice | null;
  /** When the reminder of the platform was closed in this browser, in epoch ms; null = it was not. */
  reminderClosedAt: number | null;
  now: number;
};

/** One of several accounts; `needsCare` = it is revoked or unconfirmed. */
export type AccountChoice = {
  id: string;
  name: string;
  needsCare: boolean;
  /** Who gave the consent; null = accounts of the platform are not people's. */
  person: AccountPerson | null;
};

/** The platform's list, or the name of a platform that this installation is not set up for yet. */
export type Shown = { page: ItemListPage; soon: null } | { page: null; soon: string };

/**
 * The list of one platform for the URL's query. Without a connection it redirects to the connector (spec P-041), or is
 * coming soon where nobody can connect one (spec A-112).
 */
export async function platformPage(
  context: AppLoadContext,
  request: Request,
  platform: string,
): Promise<Shown> {
  const member = requireMember(context, request);
  const descriptor = descriptors.find(({ id }) => id === platform);
  if (!descriptor) throw data(null, { status: 404 });
  if (!canUse(member, platform)) throw redirect("/");
  const { services } = context;
  return orFailure(context, async () => {
    const connections = await listConnections(services, member, { platform });
    const [oldest] = connections;
    const { searchParams } = new URL(request.url);
    if (!oldest && !services.isSetUp(platform)) return { page: null, soon: descriptor.label };
    if (!oldest) throw redirect(await connectorPath(context, member, platform, searchParams));
    const named = searchParams.get("account");
    const connection = connections.find(({ id }) => id === named) ?? oldest;
    // The account was removed meanwhile: open the list of the remaining ones.
    if (named && named !== connection.id) throw redirect(`/platform/dashboard/${platform}`);
    const scope = { platform, connectionId: connection.id };
    const connectionId = connections.length > 1 ? connection.id : null;
    const listOf = (query: ListQuery) =>
      listItems(services, member, { ...query, ...scope, name: query.name || null, perPage: ITEMS_PER_PAGE });
    const guess = queryOf(request, descriptor, {
      connectionId,
      placeIds: guessPlaces(request, descriptor, connection),
    });
    const [places, entitlements, guessed] = await Promise.all([
      descriptor.supports.places ? listPlaces(services, member, scope) : [],
      entitlementsOf(services, member.organisationId, platform),
      // A place that is not there is found out below.
      listOf(guess).catch((cause: unknown) => {
        if (cause instanceof AppError && cause.code === "err.not.found") return null;
        throw cause;
      }),
    ]);
    const query = queryOf(request, descriptor, { connectionId, placeIds: places.map(({ id }) => id) });
    const shown = places.find(({ id }) => id === query.placeId);
    const isRight = guess.placeId === query.placeId || guess.placeId === shown?.externalId;
    const list = isRight && guessed ? guessed : await listOf(query);
    const page: ItemListPage = {
      platform,
      label: descriptor.label,
      connection: withoutFacts(connection),
      accounts: connections.map((each) => ({
        id: each.id,
        name: each.name,
        needsCare: each.status === "revoked" || !each.isConfirmed,
        person: descriptor.accountWord === undefined ? null : personOf(each),
      })),
      places,
      query,
      list: { ...list, items: list.items.map(withoutFacts) },
      entitlements,
      canManage: await mayManage(services, member, platform),
      installUrl:
        services.connectors.get(platform)?.authoriser.installUrl?.(services.connectorConfig) ?? null,
      firstWords: list.quota.used === 0 ? firstWordsOf(platform) : null,
      notice: await noticeIn(context, request, "error_message"),
      reminderClosedAt: closedAtIn(request.headers.get("Cookie") ?? "", platform),
      now: services.clock.now(),
    };
    return { page, soon: null };
  });
}

/**
 * The app connector for a first account, with what the address carries: a message, or a choice among the accounts of a
 * consent (spec P-009 to P-011).
 */
async function connectorPath(
  { services }: AppLoadContext,
  member: Member,
  platform: string,
  search: URLSearchParams,
): Promise<string> {
  const query = new URLSearchParams({ platform });
  for (const name of ["error_message", "error_mark"]) {
    const value = search.get(name);
    if (value) query.set(name, value);
  }
  const choice = accountNames(search).length > 0 ? await findChoiceId(services, member, platform) : null;
  if (choice !== null) query.set("choice", choice);
  return `/app-connector?${query}`;
}

/**
 * The place whose list is read before the places are known: the one in the address, otherwise the account's own, which
 * is the first of every list.
 */
function guessPlaces(
  request: Request,
  { supports }: PlatformDescriptor,
  { externalId }: ConnectionView,
): string[] {
  if (!supports.places) return [];
  return [new URL(request.url).searchParams.get("place") ?? externalId];
}

function firstWordsOf(platform: string): ItemListPage["firstWords"] {
  const words = restoreWords[platform];
  return words ? { comesBack: words.comesBack, cannot: words.cannot } : null;
}

function queryOf(
  request: Request,
  { itemKinds: kinds }: PlatformDescriptor,
  known: { connectionId: string | null; placeIds: readonly string[] },
): ListQuery {
  return parseListQuery(new URL(request.url).searchParams, { kinds, ...known });
}
