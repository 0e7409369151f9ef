import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { entitlementsOf } from "#core/billing/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { DAY_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import type { ErrorCode } from "#core/kernel/error-codes.ts";
import type { Member } from "#core/organisations/index.ts";
import { closeAccount, endClosedSubscriptions, handOverOwnership } from "#core/ownership/index.ts";
import {
  attachCard,
  buy,
  cancelSubscription,
  endSubscription,
  payOpenInvoice,
  previewPurchase,
  recalculateSubscriptions,
  reconcilePayments,
  resumeSubscription,
  syncCustomer,
} from "#core/payments/index.ts";
import { type Blow, beginLife, type Effect } from "#tests/harness/effects.ts";
import {
  customerOf,
  FAILING,
  type MoneyServices,
  type MoneyState,
  type MoneyWorld,
  openMoneyWorld,
  VISA,
} from "#tests/harness/money-world.ts";
import { cheapPasswords, makeMember, makePlatform, PASSWORD, withPassword } from "#tests/harness/people.ts";
import { isDeep, sampleOf, sweep } from "#tests/harness/sample.ts";

/*
 * Whatever a person does about money, the isolate may die before or after any request to Stripe and any write of ours.
 * Afterwards nobody was charged for anything but what was shown, nobody has a right without a subscription or a
 * subscription without its right, and doing it again ends as if nothing had happened.
 */

let world: MoneyWorld;
beforeAll(async () => {
  world = await openMoneyWorld(Date.UTC(2027, 0, 15, 9));
});
afterAll(async () => {
  // Such as a key that was sent again with another order.
  expect(await world.stripe.refusals()).toEqual([]);
  await world.stripe.close();
});

/** One try of a person. `shows` is called with each amount that is on the screen before it is ordered. */
type Try = { s: MoneyServices; member: Member; shows: (cents: number) => void };
type Scene = {
  name: string;
  /** What came before, without blows. */
  prepare: () => Promise<Member>;
  act: (one: Try) => Promise<unknown>;
  /** The state in the end, however often the isolate died. */
  ends: Partial<MoneyState>;
  /** What else holds in the end. */
  holds?: (member: Member) => Promise<void>;
};

/** Refusals that say that it is done already, or that a person must look again. */
const DONE = [
  "err.plan.active",
  "err.subscription.state",
  "err.not.found",
  "err.payment.due",
  "err.role.forbidden",
];
const AGAIN = ["err.payment.quote", "err.payment.busy", "err.payment.unavailable"];
/** Blows of each scene in a normal run. */
const BLOWS = 2;

type Choice = { priceId: string; quantity: number };
const platformOf = (priceId: string) => priceId.split(".")[0]!;

/** Looks at the price of each choice that is not bought, and orders them. */
async function order({ s, member, shows }: Try, choices: readonly Choice[]): Promise<void> {
  const items = [];
  for (const { priceId, quantity } of choices) {
    const platform = platformOf(priceId);
    const { isActive, plan, itemLimit } = await entitlementsOf(s, member.organisationId, platform);
    if (choices.length > 1 && isActive && priceId.includes(plan) && itemLimit === quantity) continue;
    const period = priceId.endsWith("year") ? ("year" as const) : ("month" as const);
    const shown = await previewPurchase(s, member, { platform, priceId, quantity, period, code: null });
    shows(shown.preview.dueCents);
    items.push({ platform, priceId, quantity, quote: shown.quote });
  }
  if (items.length === 0) return;
  const answers = await buy(s, member, { company: null, items, code: null });
  const refused = answers.find(({ code }) => code !== null);
  if (refused) throw new AppError(refused.code as ErrorCode);
}

async function bought(choice: Choice, card?: string): Promise<Member> {
  const member = await world.owner(card);
  await order({ s: world.services, member, shows: () => undefined }, [choice]);
  return member;
}

/** A subscription whose renewal failed. */
async function pastDue(): Promise<Member> {
  const member = await bought({ priceId: "github.essential.month", quantity: 10 });
  await attachCard(world.services, member, await world.stripe.card(FAILING));
  await world.moveTo(world.clock.at + 32 * DAY_MS);
  await syncCustomer(world.services, member.organisationId);
  return member;
}

/** A subscription of a hundred users of Jira, half an hour before it renews; there are a hundred and thirty by now. */
async function usersChanged(): Promise<Member> {
  const member = await bought({ priceId: "jira.essential.month", quantity: 100 });
  await makePlatform(world.services, member, { platform: "jira", plan: null });
  await env.DB.prepare("UPDATE connection SET seats = 130 WHERE organisation_id = ?")
    .bind(member.organisationId)
    .run();
  const end = await env.DB.prepare(
    "SELECT period_end AS x FROM stripe_subscription WHERE organisation_id = ?",
  )
    .bind(member.organisationId)
    .first<number>("x");
  await world.moveTo(end! - 30 * MINUTE_MS);
  return member;
}

const ESSENTIAL = { platform: "github", plan: "essential", quantity: 10 };
const PRO = { platform: "github", plan: "pro", quantity: 500 };
const settled = { openInvoices: 0, locks: 0, wronglyCharged: [] };
const running = (...live: MoneyState["live"]) => ({ ...settled, live, rights: live, cancelling: [] });

const mute = { send: async () => undefined };

const column = (text: string, { organisationId }: Member) =>
  env.DB.prepare(text).bind(organisationId).first<string>("x");

/** The member who is not the owner. */
const heirOf = (member: Member) =>
  column("SELECT user_id AS x FROM member WHERE organisation_id = ? AND role = 'member'", member);

const SCENES: readonly Scene[] = [
  {
    name: "a purchase",
    prepare: () => world.owner(),
    act: (one) => order(one, [{ priceId: "github.essential.month", quantity: 10 }]),
    ends: running(ESSENTIAL),
  },
  {
    name: "a purchase of two platforms",
    prepare: () => world.owner(),
    act: (one) =>
      order(one, [
        { priceId: "github.pro.year", quantity: 500 },
        { priceId: "trello.essential.month", quantity: 10 },
      ]),
    ends: running(PRO, { platform: "trello", plan: "essential", quantity: 10 }),
  },
  {
    name: "an upgrade",
    // Dear enough that minutes make a difference in cents.
    prepare: () => bought({ priceId: "github.pro.year", quantity: 10 }),
    act: (one) => order(one, [{ priceId: "github.pro.year", quantity: 500 }]),
    ends: running(PRO),
  },
  {
    name: "a change from months to years",
    prepare: () => bought({ priceId: "github.essential.month", quantity: 10 }),
    act: (one) => order(one, [{ priceId: "github.pro.year", quantity: 500 }]),
    ends: running(PRO),
  },
  {
    name: "a downgrade",
    prepare: () => bought({ priceId: "github.pro.year", quantity: 500 }),
    act: (one) => order(one, [{ priceId: "github.essential.year", quantity: 10 }]),
    ends: running(ESSENTIAL),
  },
  {
    name: "a cancellation",
    prepare: () => bought({ priceId: "github.essential.month", quantity: 10 }),
    act: ({ s, member }) => cancelSubscription(s, member, "github"),
    ends: { ...running(ESSENTIAL), cancelling: ["github"] },
  },
  {
    name: "the undo of a cancellation",
    prepare: async () => {
      const member = await bought({ priceId: "github.essential.month", quantity: 10 });
      await cancelSubscription(world.services, member, "github");
      return member;
    },
    act: ({ s, member }) => resumeSubscription(s, member, "github"),
    ends: running(ESSENTIAL),
  },
  {
    name: "“End now”",
    prepare: pastDue,
    act: ({ s, member }) => endSubscription(s, member, "github"),
    ends: running(),
  },
  {
    name: "the payment of what is open",
    prepare: async () => {
      const member = await pastDue();
      await attachCard(world.services, member, await world.stripe.card(VISA));
      return member;
    },
    act: async ({ s, member, shows }) => {
      shows(1_428);
      await payOpenInvoice(s, member, "github");
    },
    ends: running(ESSENTIAL),
  },
  {
    name: "the recalculation of users in the last hour of a period",
    prepare: usersChanged,
    // Nothing is charged before the period turns.
    act: ({ s }) => recalculateSubscriptions(s),
    ends: running({ platform: "jira", plan: "essential", quantity: 100 }),
    holds: async (member) => {
      const { subscriptions } = await world.services.payments.listSubscriptions((await customerOf(member))!);
      expect(subscriptions.map(({ quantity, paidQuantity }) => [quantity, paidQuantity])).toEqual([
        [130, 100],
      ]);
      const told = await env.DB.prepare(
        "SELECT outcome FROM audit_entry WHERE organisation_id = ? AND action = 'recalculate-subscription'",
      )
        .bind(member.organisationId)
        .all();
      expect(told.results).toEqual([{ outcome: "success" }]);
    },
  },
  {
    name: "closing the account",
    prepare: async () => withPassword(await bought({ priceId: "github.essential.month", quantity: 10 })),
    act: ({ s, member }) =>
      closeAccount({ ...s, passwords: cheapPasswords, queue: mute }, member, {
        email: member.email,
        password: PASSWORD,
      }),
    ends: running(),
    holds: async (member) => {
      expect(await column("SELECT state AS x FROM closure WHERE organisation_id = ?", member)).toBe("closed");
    },
  },
  {
    name: "closing the account with a debt",
    prepare: async () => withPassword(await pastDue()),
    act: ({ s, member }) =>
      closeAccount({ ...s, passwords: cheapPasswords, queue: mute }, member, {
        email: member.email,
        password: PASSWORD,
      }),
    ends: running(),
  },
  {
    name: "handing the ownership over",
    prepare: async () => {
      const owner = await withPassword(await bought({ priceId: "github.essential.month", quantity: 10 }));
      await makeMember(world.services, owner);
      return owner;
    },
    act: async ({ s, member }) => {
      const targetId = (await heirOf(member)) ?? "";
      await handOverOwnership({ ...s, passwords: cheapPasswords, queue: mute }, member, {
        targetId,
        password: PASSWORD,
      });
    },
    ends: running(ESSENTIAL),
    holds: async (member) => {
      const { organisationId } = member;
      const email = (await column(
        `SELECT u.email AS x FROM organisation o JOIN user u ON u.id = o.owner_user_id
         JOIN member m ON m.user_id = u.id AND m.role = 'owner' WHERE o.id = ?`,
        member,
      ))!;
      expect(email).not.toBe(member.email);
      expect(await heirOf(member)).toBe(member.userId);
      // Stripe writes to whoever is the owner.
      const known = await world.services.payments.findCustomers({ organisationId, email });
      expect(known).toEqual([await customerOf(member)]);
    },
  },
];

/** What may be charged when these amounts were shown: any of them, each once. */
function sums(shown: readonly number[]): number[] {
  const all = [0];
  for (const cents of shown) all.push(...all.map((sum) => sum + cents));
  return all;
}

/** Lets a person try, in an isolate that may die, and checks that nothing else was charged than what was shown. */
async function attempt(scene: Scene, member: Member, blow: Blow | null): Promise<Effect[]> {
  const before = await world.stateOf(member);
  const life = beginLife(blow);
  const shown: number[] = [];
  const one = { s: world.bear(life), member, shows: (cents: number) => shown.push(cents) };
  const done = scene.act(one).catch((cause: unknown) => {
    const known = cause instanceof AppError && [...DONE, ...AGAIN].includes(cause.code);
    if (!known && blow === null) throw cause;
  });
  await Promise.race([done, life.death]);
  const after = await world.stateOf(member);
  expect(sums(shown)).toContain(after.chargedCents - before.chargedCents);
  expect(after.wronglyCharged).toEqual([]);
  return life.log;
}

/** The cron, after every patience with a request is over. */
async function reconcile(): Promise<void> {
  await world.moveTo(world.clock.at + 3 * MINUTE_MS);
  await reconcilePayments(world.services);
  await recalculateSubscriptions(world.services);
  await endClosedSubscriptions(world.services);
}

/** Ends what runs, so that the clock's next steps and the cron have nothing to do with it. */
async function forget(member: Member): Promise<void> {
  const customer = (await customerOf(member)) ?? "";
  const { subscriptions } = await world.services.payments.listSubscriptions(customer);
  for (const { id, endedAt } of subscriptions)
    if (endedAt === null) await world.services.payments.endSubscription(id, `forget:${id}`);
  for (const table of ["billing_command", "stripe_subscription", "billing_customer"])
    await env.DB.prepare(`DELETE FROM ${table} WHERE organisation_id = ?`).bind(member.organisationId).run();
}

async function play(scene: Scene, blow: Blow | null, isHasty: boolean): Promise<Effect[]> {
  const member = await scene.prepare();
  const log = await attempt(scene, member, blow);
  if (isHasty) {
    // A person who sees an error does it again at once, before anything was reconciled.
    await world.moveTo(world.clock.at + 20_000);
    await attempt(scene, member, null);
  }
  await reconcile();
  const { live, rights } = await world.stateOf(member);
  expect(rights).toEqual(live);
  if (blow !== null) await attempt(scene, member, null);
  await reconcile();
  expect(await world.stateOf(member)).toMatchObject(scene.ends);
  await scene.holds?.(member);
  await forget(member);
  return log;
}

test.each(SCENES)(
  "after a death anywhere in $name nothing was charged but what was shown, and doing it again ends right",
  async (scene) => {
    const log = await play(scene, null, false);
    expect(log.length).toBeGreaterThan(4);
    // A death before an effect equals a death after the one before.
    const blows = [
      { at: 0, how: "kill-before" as const },
      ...log.map((_, at) => ({ at, how: "kill-after" as const })),
      // The answer of Stripe is lost, and its client asks again with the same key.
      ...log.flatMap(({ kind }, at) => (kind === "provider" ? [{ at, how: "fail-after" as const }] : [])),
    ];
    await sweep(async () => {
      for (const [turn, blow] of sampleOf(blows, BLOWS).entries()) {
        const { kind, name } = log[blow.at]!;
        for (const isHasty of isDeep() ? [false, true] : [turn % 2 === 1])
          await play(scene, blow, isHasty).catch((cause: unknown) => {
            throw new Error(`${blow.how} ${blow.at} (${kind} ${name})${isHasty ? ", hasty" : ""}: ${cause}`, {
              cause,
            });
          });
      }
    });
  },
  1_800_000,
);
