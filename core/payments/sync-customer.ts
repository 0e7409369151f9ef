import type { ProviderCustomer, ProviderSubscription } from "#connectors/contract/payment-provider.ts";
import { costCents, findPrice } from "#core/billing/index.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { logger } from "#core/kernel/logger.ts";
import type { Uses } from "#core/services.ts";
import { changesOf, type Reading } from "./announce.ts";
import { type CommandRow, listOpenCommands } from "./command.store.ts";
import { KEY_LIFE_MS, STUCK_MS } from "./commands.ts";
import { type CorrectionRow, listCorrectionRows } from "./correction.store.ts";
import { invoiceOf, moneyBackOf, toCorrectionRows } from "./corrections.ts";
import type { SyncServices } from "./deps.ts";
import { isRunning, OWNER_EMAIL, orderSchema, RECALCULATION } from "./order.ts";
import {
  type CustomerFacts,
  type CustomerRow,
  readProjection,
  type SubscriptionRow,
  writeProjection,
} from "./projection.store.ts";
import { isLive, PAST_DUE_MS, rightOf, toRow } from "./projection.ts";

const log = logger("payments");

/** How often a sync that lost to another begins again before the cron takes over. */
const MOST_TRIES = 3;
/** How long after the last retry an unpaid subscription may still be called past due. */
const RETRY_SLACK_MS = 2 * DAY_MS;
/** Invoices that are looked at for what went back; those of the running periods are the newest. */
const CORRECTED_INVOICES = 100;

/** `unclear`: synced, but the provider has a subscription that is not understood. */
export type SyncOutcome = "synced" | "unclear" | "no customer" | "later";

/**
 * Reads the customer from the payment provider and replaces what we know of it: the only writer of the projection and of
 * the entitlements that follow from it. Events are never believed, only taken as a reason to sync
 * (docs.stripe.com/webhooks#event-ordering).
 *
 * The version is read before the provider is asked, and the rows are written only while it is unchanged. So of two syncs
 * that overlap, the one that read earlier cannot overwrite the other.
 *
 * @throws PaymentError when the provider cannot be read; the cron tries again
 */
export async function syncCustomer(deps: SyncServices, organisationId: string): Promise<SyncOutcome> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const [known, open, corrected] = await Promise.all([
      readProjection(deps.control, organisationId),
      listOpenCommands(deps.control, organisationId),
      listCorrectionRows(deps.control, organisationId),
    ]);
    const { customer } = known;
    if (!customer) return "no customer";
    const found = await askProvider(deps, customer, { rows: known.rows, corrections: corrected });
    const facts = factsOf(found.customer);
    const rights = rightsOf(organisationId, [...found.rows, ...found.kept], known.trials);
    const { isWritten, wanted } = await writeProjection(deps.control, {
      organisationId,
      version: customer.version,
      wanted: customer.wanted,
      facts,
      rows: found.rows,
      rights,
      corrections: found.corrections,
      commands: settle(open, found.subscriptions, deps.clock.now()),
      now: deps.clock.now(),
    });
    if (isWritten) {
      const rows = [...found.rows, ...found.kept];
      const gone = known.rows.filter(({ id }) => !rows.some((row) => row.id === id));
      const changes = changesOf(
        {
          facts: customer.syncedAt === null ? null : pickFacts(customer),
          rows: known.rows,
          rights: known.rights,
        },
        { facts, rows: [...rows, ...gone], rights: withOthers(known.rights, rights) },
      );
      await deps.live.publish(organisationId, changes);
    }
    if (isWritten && wanted === customer.wanted) return found.isClear ? "synced" : "unclear";
  }
  return "later";
}

/**
 * Syncs, and only logs a failure: the last known state counts until the cron reads the customer again. For whoever has
 * done what was asked, or waits for a change.
 */
export async function syncQuietly(deps: SyncServices, organisationId: string): Promise<void> {
  try {
    await syncCustomer(deps, organisationId);
  } catch (cause) {
    logUnread(organisationId, cause);
  }
}

/** Logs that a customer could not be read. */
export function logUnread(organisationId: string, cause: unknown): void {
  log.error("{organisationId} could not be read from the payment provider", { organisationId, cause });
}

/**
 * Everything that the provider says now. `kept`: rows whose subscription is in a form that is not known; `isClear`: there is no such
 * subscription, whether we have a row of it or not.
 */
async function askProvider(
  deps: Uses<"payments" | "clock">,
  { stripeCustomerId, organisationId }: CustomerRow,
  known: { rows: readonly SubscriptionRow[]; corrections: readonly CorrectionRow[] },
): Promise<{
  customer: ProviderCustomer;
  subscriptions: ProviderSubscription[];
  rows: SubscriptionRow[];
  kept: SubscriptionRow[];
  corrections: CorrectionRow[];
  isClear: boolean;
}> {
  const [customer, { subscriptions, unreadable }, corrections] = await Promise.all([
    deps.payments.readCustomer(stripeCustomerId),
    deps.payments.listSubscriptions(stripeCustomerId),
    deps.payments.listCorrections(stripeCustomerId),
  ]);
  // Few customers have any, so that only their syncs ask for invoices.
  const invoices =
    corrections.length === 0 ? [] : await deps.payments.listInvoices(stripeCustomerId, CORRECTED_INVOICES);
  const corrected = toCorrectionRows(organisationId, corrections, {
    known: known.corrections,
    now: deps.clock.now(),
    platformOf: (correction) => {
      const id = invoiceOf(correction, invoices)?.subscriptionId;
      const key = subscriptions.find((each) => each.id === id)?.priceKey ?? null;
      return key === null ? null : (findPrice(key)?.platform ?? null);
    },
  });
  for (const { id, reason } of unreadable)
    log.error("Subscription {id} is not understood; its last known state stays: {reason}", { id, reason });
  const rows: SubscriptionRow[] = [];
  const lost = new Set(unreadable.map(({ id }) => id));
  for (const each of subscriptions) {
    const before = known.rows.find(({ id }) => id === each.id);
    const next = await nextInvoice(deps, stripeCustomerId, each, before);
    const row = toRow(organisationId, each, next, moneyBackOf(each, invoices, corrections, corrected));
    if (row) rows.push(row);
    else {
      lost.add(each.id);
      log.error("Subscription {id} has a price that is not in the catalogue", { id: each.id });
    }
    if (each.state === "paused") log.error("Subscription {id} is paused, which we never do", { id: each.id });
  }
  alarmDoubles(rows);
  alarmRetries(rows, deps.clock.now());
  const kept = known.rows.filter(({ id }) => lost.has(id));
  return { customer, subscriptions, rows, kept, corrections: corrected, isClear: lost.size === 0 };
}

/** What the next period costs. Once it is cancelled there is none, and the last known amount stays. */
async function nextInvoice(
  deps: Uses<"payments">,
  customerId: string,
  found: ProviderSubscription,
  before: SubscriptionRow | undefined,
): Promise<number | null> {
  const isEnded = found.endedAt !== null || found.state === "incomplete_expired";
  const price = found.priceKey === null ? null : findPrice(found.priceKey);
  if (!price || isEnded) return null;
  if (found.cancelAt === null && found.state !== "incomplete") {
    const cents = await deps.payments.recurringCents(customerId, found.id);
    if (cents !== null) return cents;
  }
  const isSame = before?.priceKey === found.priceKey && before.quantity === found.quantity;
  if (isSame && before.nextInvoiceCents !== null) return before.nextInvoiceCents;
  const maximum = price.brackets.at(-1)?.to ?? 0;
  return found.quantity > 0 && found.quantity <= maximum ? costCents(price, found.quantity) : null;
}

/** Two live subscriptions of a platform are charged twice; somebody must refund one. */
function alarmDoubles(rows: readonly SubscriptionRow[]): void {
  const live = rows.filter(isLive).map(({ platform }) => platform);
  for (const platform of new Set(live.filter((each, index) => live.indexOf(each) !== index))) {
    const organisationId = rows[0]?.organisationId;
    log.error("{organisationId} pays twice for {platform}", { organisationId, platform });
  }
}

/**
 * The provider tries a failed renewal again for two weeks and then marks the subscription as unpaid. That is a setting of
 * the account which no call of the provider returns, so only a subscription that outlives it says that it is wrong.
 */
function alarmRetries(rows: readonly SubscriptionRow[], now: number): void {
  for (const { id, status, pastDueSince } of rows)
    if (status === "past_due" && pastDueSince !== null && pastDueSince + PAST_DUE_MS + RETRY_SLACK_MS < now)
      log.error("Subscription {id} is still past due; check the provider's retry policy", { id });
}

function rightsOf(
  organisationId: string,
  rows: readonly SubscriptionRow[],
  trials: readonly { platform: string; endsAt: number }[],
) {
  return [...new Set(rows.map(({ platform }) => platform))].flatMap((platform) => {
    const trial = trials.find((each) => each.platform === platform)?.endsAt ?? null;
    const right = rightOf(platform, rows, trial);
    // The id matters only for a platform without a trial; from organisation and platform, it is the same in every sync.
    const id = `sub_${organisationId.replace(/^org_/, "")}${platform.replace(/[^a-z0-9]/g, "")}`.slice(0, 44);
    return right ? [{ id, ...right }] : [];
  });
}

/** Kinds of commands that have more to do than what was just read. */
const GOES_ON: ReadonlySet<string> = new Set(["end", "replace", OWNER_EMAIL]);

/**
 * What became of commands. One that locks no platform needs no outcome: what it did has just been read. Only an end,
 * a replacement and the owner's address go on (`finishEnds`, `finishReplacements`, `finishOwnerEmails`). A purchase ends when its subscription is paid or over; a change, when it runs or was dropped. One that
 * never arrived is over when its key could not be sent again.
 */
function settle(
  open: readonly CommandRow[],
  subscriptions: readonly ProviderSubscription[],
  now: number,
): { id: string; state: "done" | "failed" }[] {
  return open.flatMap((command) => {
    const { id, kind, platform, createdAt } = command;
    const ended = (to: "done" | "failed") => [{ id, state: to }];
    // It records its own outcome (`recalculate.ts`).
    if (kind === RECALCULATION) return [];
    if (platform === null) return !GOES_ON.has(kind) && createdAt + STUCK_MS < now ? ended("done") : [];
    const found = kind === "change" ? changedBy(command, subscriptions) : createdBy(command, subscriptions);
    if (!found) return createdAt + KEY_LIFE_MS < now ? ended("failed") : [];
    if (kind === "change") return found.pending === null ? ended("done") : [];
    if (found.state === "incomplete") return [];
    return ended(found.state === "incomplete_expired" ? "failed" : "done");
  });
}

const createdBy = ({ id, stripeId }: CommandRow, subscriptions: readonly ProviderSubscription[]) =>
  subscriptions.find((each) => each.commandId === id || each.id === stripeId);

/** The subscription that a change reached. Nothing at the provider names the change itself. */
function changedBy(
  { state, stripeId, paramsJson }: CommandRow,
  subscriptions: readonly ProviderSubscription[],
) {
  const order = orderSchema.safeParse(JSON.parse(paramsJson)).data;
  if (order?.kind !== "change") return undefined;
  const found = subscriptions.find(({ id }) => id === order.subscriptionId);
  const hasArrived = (state === "waiting" && stripeId !== null) || (found && isRunning(order, found));
  return hasArrived ? found : undefined;
}

function factsOf(customer: ProviderCustomer): CustomerFacts {
  const { name, address, taxIds, creditCents, card, isReverseCharge } = customer;
  return {
    name,
    country: address?.country ?? null,
    addressJson: address === null ? null : JSON.stringify(address),
    taxIdsJson: JSON.stringify(taxIds),
    isReverseCharge,
    balanceCents: creditCents,
    cardId: card?.id ?? null,
    cardBrand: card?.brand ?? null,
    cardLast4: card?.last4 ?? null,
    cardExpMonth: card?.expMonth ?? null,
    cardExpYear: card?.expYear ?? null,
  };
}

/** The same facts of a row that was read. */
function pickFacts(row: CustomerRow): CustomerFacts {
  return {
    name: row.name,
    country: row.country,
    addressJson: row.addressJson,
    taxIdsJson: row.taxIdsJson,
    isReverseCharge: row.isReverseCharge,
    balanceCents: row.balanceCents,
    cardId: row.cardId,
    cardBrand: row.cardBrand,
    cardLast4: row.cardLast4,
    cardExpMonth: row.cardExpMonth,
    cardExpYear: row.cardExpYear,
  };
}

/** The new rights, and those that a sync does not touch. */
function withOthers(known: Reading["rights"], found: Reading["rights"]): Reading["rights"] {
  return [...found, ...known.filter((each) => !found.some(({ platform }) => platform === each.platform))];
}
