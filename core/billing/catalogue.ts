import { invariant } from "#core/kernel/invariant.ts";
import { TRIAL_ITEMS, UNLIMITED_ITEMS } from "./plans.ts";

/** Plans that have a price. Enterprise is on request only (spec B-003). */
export type PaidPlan = "essential" | "pro";
export type Period = "month" | "year";

/** The quantities up to `to`. `cents`: the whole bracket (flat) or each unit in it (unit), for one period. */
export type Bracket = { from: number; to: number; cents: number };

/**
 * What one platform's subscription costs for one plan and period, in US cents. In a `flat` bracket every quantity costs
 * the same, so the whole bracket is bought. `unit` prices are graduated: each unit costs what its own bracket says, so
 * one unit more never lowers the sum.
 */
export type Price = {
  /** The payment provider's lookup key, `{platform}.{plan}.{period}`. */
  key: string;
  platform: string;
  plan: PaidPlan;
  period: Period;
  kind: "flat" | "unit";
  brackets: readonly Bracket[];
};

type Tariff = {
  kind: Price["kind"];
  /** Upper ends and monthly cents of the Essential plan (spec B-286 to B-303, B-310; spec/README "Prices"). */
  brackets: readonly (readonly [to: number, cents: number])[];
  /** True where the quantity counts people at the platform, not what is protected (spec B-310). */
  isPerUser?: true;
  /** False where only monthly billing is offered (spec B-309). */
  isAnnual: boolean;
  /** The smallest quantity (spec B-224), and the smallest during a trial (spec B-225). */
  minimum: number;
  trialMinimum: number;
  /** What a trial includes, where it is not `TRIAL_ITEMS`. */
  trialItems?: number;
  /** The quantity that the catalogue proposes (spec B-299 to B-303). */
  proposed: number;
};

const CODE_HOST: Tariff = {
  kind: "flat",
  brackets: [
    [10, 1_200],
    [50, 2_400],
    [100, 5_000],
    [250, 10_000],
    [500, 15_000],
    [1_000, 25_000],
  ],
  isAnnual: true,
  minimum: 1,
  trialMinimum: 1,
  proposed: 10,
};

const TARIFFS: Readonly<Record<string, Tariff>> = {
  github: CODE_HOST,
  gitlab: CODE_HOST,
  trello: {
    kind: "flat",
    brackets: [
      [10, 1_000],
      [50, 2_000],
      [100, 4_000],
      [200, 7_500],
    ],
    isAnnual: true,
    minimum: 10,
    trialMinimum: 5,
    proposed: 10,
  },
  jira: {
    kind: "unit",
    brackets: [
      [100, 250],
      [250, 225],
      [500, 200],
      [1_000, 175],
      [2_000, 150],
    ],
    isPerUser: true,
    isAnnual: false,
    minimum: 1,
    trialMinimum: 5,
    trialItems: UNLIMITED_ITEMS,
    proposed: 1,
  },
  notion: {
    kind: "unit",
    brackets: [
      [10, 1_000],
      [50, 900],
      [200, 800],
    ],
    isAnnual: true,
    minimum: 1,
    trialMinimum: 5,
    proposed: 1,
  },
};

export const PAID_PLANS: readonly PaidPlan[] = ["essential", "pro"];
export const PERIODS: readonly Period[] = ["month", "year"];
/** Pro costs twice as much as Essential; a year costs twelve months less a fifth (spec A-024, spec/README "Prices"). */
const PRO_FACTOR = 2;
const yearOf = (monthCents: number) => Math.round(monthCents * 12 * 0.8);

/** Every price that is sold. Prices at the payment provider are created from these and never edited. */
export const PRICES: readonly Price[] = Object.entries(TARIFFS).flatMap(([platform, tariff]) =>
  PAID_PLANS.flatMap((plan) =>
    periodsOf(tariff).map((period) => ({
      key: `${platform}.${plan}.${period}`,
      platform,
      plan,
      period,
      kind: tariff.kind,
      brackets: bracketsOf(tariff, plan, period),
    })),
  ),
);

/** The capacities of a platform that is sold; null for others. Above `maximum`, Enterprise is on request (B-304). */
export function capacityOf(
  platform: string,
): { minimum: number; trialMinimum: number; maximum: number; proposed: number } | null {
  const tariff = Object.hasOwn(TARIFFS, platform) ? TARIFFS[platform] : undefined;
  if (!tariff) return null;
  const { minimum, trialMinimum, proposed } = tariff;
  return { minimum, trialMinimum, maximum: tariff.brackets.at(-1)?.[0] ?? 0, proposed };
}

/** The quantities of each platform whose plan counts people. */
export function seatRanges(): { platform: string; minimum: number; maximum: number }[] {
  return Object.keys(TARIFFS)
    .filter((platform) => !limitsItems(platform))
    .flatMap((platform) => {
      const range = capacityOf(platform);
      return range ? [{ platform, minimum: range.minimum, maximum: range.maximum }] : [];
    });
}

/** A price with what a catalogue shows beside it: the quantities of its platform, and the months that it pays for. */
export type OfferedPrice = Price & {
  proposed: number;
  minimum: number;
  trialMinimum: number;
  months: number;
};

/** What a platform's trial includes (spec B-130, B-131). */
export function trialItemsOf(platform: string): number {
  const tariff = Object.hasOwn(TARIFFS, platform) ? TARIFFS[platform] : undefined;
  return tariff?.trialItems ?? TRIAL_ITEMS;
}

/** The prices of a platform; null when it is not sold. */
export function pricesOf(platform: string): readonly OfferedPrice[] | null {
  const capacity = capacityOf(platform);
  if (!capacity) return null;
  const { proposed, minimum, trialMinimum } = capacity;
  return PRICES.filter((price) => price.platform === platform).map((price) => ({
    ...price,
    proposed,
    minimum,
    trialMinimum,
    months: price.period === "year" ? 12 : 1,
  }));
}

/** The price with this lookup key; null when it is not sold. */
export function findPrice(key: string): Price | null {
  return PRICES.find((price) => price.key === key) ?? null;
}

/** The cost of a quantity for the price's period, in cents. @throws when the quantity is outside the brackets */
export function costCents({ kind, brackets }: Price, quantity: number): number {
  const bracket = brackets.find(({ to }) => quantity <= to);
  invariant(Number.isSafeInteger(quantity) && quantity > 0 && bracket, "a quantity is within the brackets");
  if (kind === "flat") return bracket.cents;
  return brackets.reduce((sum, { from, to, cents }) => {
    const units = Math.max(0, Math.min(quantity, to) - from + 1);
    return sum + units * cents;
  }, 0);
}

/** The quantity that is bought: who pays for a flat bracket gets all of it. */
export function boughtQuantity({ kind, brackets }: Price, quantity: number): number {
  return kind === "flat" ? (brackets.find(({ to }) => quantity <= to)?.to ?? quantity) : quantity;
}

function periodsOf({ isAnnual }: Tariff): readonly Period[] {
  return isAnnual ? ["month", "year"] : ["month"];
}

function bracketsOf({ brackets }: Tariff, plan: PaidPlan, period: Period): readonly Bracket[] {
  return brackets.map(([to, essential], index) => {
    const month = essential * (plan === "pro" ? PRO_FACTOR : 1);
    return {
      from: (brackets[index - 1]?.[0] ?? 0) + 1,
      to,
      cents: period === "year" ? yearOf(month) : month,
    };
  });
}

/** What the quantity of a platform's plan counts. */
export const countedBy = (platform: string): "items" | "people" =>
  limitsItems(platform) ? "items" : "people";

/** Whether the quantity of a platform's plan limits how many items are protected. */
export const limitsItems = (platform: string): boolean =>
  !(Object.hasOwn(TARIFFS, platform) && TARIFFS[platform]?.isPerUser);
