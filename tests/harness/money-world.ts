import { env } from "cloudflare:workers";
import type { ProviderSubscription } from "#connectors/contract/payment-provider.ts";
import { publishCatalogue } from "#connectors/payments/stripe/catalogue.ts";
import { openStripe as openClient, type StripeSettings } from "#connectors/payments/stripe/client.ts";
import { createStripe } from "#connectors/payments/stripe/index.ts";
import { entitlementsOf, findPrice, PRICES } from "#core/billing/index.ts";
import { controlDatabase } from "#core/database/ledgers.ts";
import { hmacSha256, toHex, utf8 } from "#core/kernel/crypto.ts";
import { randomIds } from "#core/kernel/ids.ts";
import type { Member } from "#core/organisations/index.ts";
import { attachCard, saveCompany, syncQuietly, takeEvent } from "#core/payments/index.ts";
import { buildServices } from "#workers/services.ts";
import { beginLife, type Life } from "./effects.ts";
import { mortalDatabase } from "./mortal-bindings.ts";
import { type OutsideEvent, type OutsideStripe, openStripe } from "./outside.ts";
import { makeOwner } from "./people.ts";

export const VISA = "4242424242424242";
/** It is accepted, and every charge of it fails. */
export const FAILING = "4000000000000341";
export const COMPANY = {
  name: "Meridian",
  country: "DE",
  city: "Berlin",
  line1: "Am Ufer 1",
  postal_code: "10115",
};
/** The platforms that tests of money buy. */
const SOLD = ["github", "trello", "jira"];

export type MoneyServices = ReturnType<typeof servicesOf>;

/** What is true of an organisation's money, read from Stripe itself and from our own rights. */
export type MoneyState = {
  chargedCents: number;
  /** Invoices that were charged more than once, and charges beyond what their invoice said. */
  wronglyCharged: string[];
  /** What Stripe says is running, by platform. Two of one platform are two entries. */
  live: { platform: string; plan: string; quantity: number }[];
  /** The rights that run, in the same form. */
  rights: { platform: string; plan: string; quantity: number }[];
  cancelling: string[];
  openInvoices: number;
  /** Purchases and changes that lock their platform. */
  locks: number;
};

/** The product's payments and a Stripe of their own, with one clock, which stands still unless a test moves it. */
export type MoneyWorld = Awaited<ReturnType<typeof openMoneyWorld>>;

/** Opens a Stripe with a catalogue. @param at the moment at which it begins, in epoch ms */
export async function openMoneyWorld(at: number) {
  const stripe = await openStripe();
  const clock = { at, now: () => clock.at };
  const settings = stripe.vars as StripeSettings;
  await stripe.setClock(at / 1000);
  const client = openClient(settings, { clock, fetch: (url, init) => fetch(url, init) });
  await publishCatalogue(
    client,
    PRICES.filter(({ platform }) => SOLD.includes(platform)),
  );
  const services = (life = beginLife()) => servicesOf(stripe, clock, life);
  const sound = services();
  return {
    stripe,
    clock,
    services: sound,
    /** The services of an isolate that may die. */
    bear: services,
    /** Moves both clocks; what is due at Stripe until then happens. */
    async moveTo(moment: number) {
      clock.at = Math.floor(moment / 1000) * 1000;
      await stripe.setClock(clock.at / 1000);
    },
    /** The owner of a new organisation with a card and a company. */
    async owner(card = VISA): Promise<Member> {
      const owner = await makeOwner(sound);
      await attachCard(sound, owner, await stripe.card(card));
      await saveCompany(sound, owner, COMPANY, { needsCard: false });
      return owner;
    },
    /** Hands events to the product, as the webhook does. */
    async deliver(events: readonly OutsideEvent[]) {
      for (const { body } of events) {
        const organisationId = await takeEvent(sound, body, await signed(settings, body, clock.at));
        if (organisationId !== null) await syncQuietly(sound, organisationId);
      }
    },
    stateOf: (member: Member) => stateOf(sound, member),
  };
}

function servicesOf(stripe: OutsideStripe, clock: { now: () => number }, life: Life) {
  const outside = (url: string | URL | Request, init?: RequestInit) =>
    life.perform({ kind: "provider", name: `${init?.method ?? "GET"} ${nameOf(url)}` }, async () => {
      const answer = await fetch(url, init);
      // A dead isolate reads nothing more, so the answer is read before.
      return new Response(await answer.arrayBuffer(), { status: answer.status, headers: answer.headers });
    });
  return {
    ...buildServices(env),
    control: controlDatabase({ ...env, DB: mortalDatabase(env.DB, "control", life) }),
    clock,
    ids: randomIds,
    payments: createStripe(stripe.vars as StripeSettings, { clock, fetch: outside }),
  };
}

const nameOf = (url: string | URL | Request) =>
  new URL(url instanceof Request ? url.url : url).pathname.replace(/\b[a-z]+_\w{8,}/g, "#");

/** The header of an event that is signed now. */
export async function signed(
  { STRIPE_WEBHOOK_SECRET: secret = "" }: { STRIPE_WEBHOOK_SECRET?: string },
  body: string,
  at: number,
): Promise<string> {
  const seconds = Math.floor(at / 1000);
  return `t=${seconds},v1=${toHex(await hmacSha256(utf8(secret), utf8(`${seconds}.${body}`)))}`;
}

/** The organisation's customer at Stripe; null before there is one. */
export async function customerOf({ organisationId }: Member): Promise<string | null> {
  return env.DB.prepare("SELECT stripe_customer_id FROM billing_customer WHERE organisation_id = ?")
    .bind(organisationId)
    .first<string>("stripe_customer_id");
}

async function stateOf(s: MoneyServices, member: Member): Promise<MoneyState> {
  const { organisationId } = member;
  const customer = (await customerOf(member)) ?? "";
  const [invoices, charges, { subscriptions }, ...plans] = await Promise.all([
    s.payments.listInvoices(customer, 300),
    s.payments.listCharges(customer, 600),
    s.payments.listSubscriptions(customer),
    ...SOLD.map((platform) => entitlementsOf(s, organisationId, platform)),
  ]);
  const locks = await env.DB.prepare(
    `SELECT count(*) AS n FROM billing_command
     WHERE organisation_id = ? AND platform IS NOT NULL AND state IN ('open', 'waiting')`,
  )
    .bind(organisationId)
    .first<number>("n");
  const paid = charges.filter(({ isPaid }) => isPaid);
  const live = subscriptions.filter(({ state }) => state === "active" || state === "past_due");
  return {
    chargedCents: paid.reduce((sum, { capturedCents }) => sum + capturedCents, 0),
    wronglyCharged: invoices.flatMap(({ id, intentIds, state, dueCents }) => {
      const own = paid.filter(({ intentId }) => intentId !== null && intentIds.includes(intentId));
      const sum = own.reduce((total, { capturedCents }) => total + capturedCents, 0);
      return sum === (state === "paid" ? dueCents : 0) && own.length < 2 ? [] : [id];
    }),
    live: live.map(boughtOf).sort(byPlatform),
    rights: plans.flatMap(({ plan, isActive, quantity }, at) =>
      isActive && plan !== "trial" ? [{ platform: SOLD[at]!, plan, quantity }] : [],
    ),
    cancelling: live.filter(({ cancelAt }) => cancelAt !== null).map((each) => boughtOf(each).platform),
    openInvoices: invoices.filter(({ state }) => state === "open").length,
    locks: locks ?? 0,
  };
}

function boughtOf({ priceKey, paidQuantity }: ProviderSubscription) {
  const price = findPrice(priceKey ?? "");
  if (!price) throw new Error(`${priceKey} is not in the catalogue`);
  return { platform: price.platform, plan: price.plan, quantity: paidQuantity };
}

const byPlatform = (a: { platform: string }, b: { platform: string }) => (a.platform < b.platform ? -1 : 1);
