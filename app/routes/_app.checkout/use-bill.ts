import { useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ApiError } from "#app/api/call-api.ts";
import { countryName } from "#app/company/country-name.ts";
import { taxIdTypes } from "#app/company/tax-id-types.ts";
import { useDebounced } from "#app/components/use-debounced.ts";
import { checkoutCopy, unitWords } from "#app/copy/checkout.ts";
import {
  type Account,
  isToldOf,
  type Preview,
  type PreviewInput,
  previewQuery,
  type Statuses,
  taxRateQuery,
} from "#app/money/billing-queries.ts";
import { boughtQuantity, bracketOf, type Catalogue, costCents } from "#app/money/catalogue-view.ts";
import { useShell } from "#app/shell/use-shell.ts";
import { labelOf } from "./app-labels.ts";
import { type Bill, type BillItem, composeBill } from "./bill.ts";
import type { AppliedCoupon } from "./checkout-memory.ts";
import { type Choice, priceOfChoice, refusalOf } from "./choice.ts";
import { couponPlatforms, discountOf } from "./coupon-platforms.ts";

/** Waits so long after the last change before it asks for a price, in ms (spec part 3 section 9). */
const PREVIEW_MS = 500;

const copy = checkoutCopy.bill;

export type ShownBill = Bill & {
  /** The answers of the payment provider, by platform; a purchase sends their quotes. */
  previews: ReadonlyMap<string, Preview>;
  isChecking: boolean;
  /** Why a price is not known; null when no message is shown. */
  error: ApiError | null;
  /** Asks for all prices again. */
  refresh: () => Promise<unknown>;
  /** False until a country is known. */
  hasTax: boolean;
};

/**
 * The bill of what is chosen. Prices come from the catalogue at once, and from the payment provider after the choice
 * has rested.
 *
 * @param country The country in the form of step 2; null when the saved one counts.
 */
export function useBill({
  choices,
  coupon,
  country,
  catalogue,
  statuses,
  account,
}: {
  choices: readonly Choice[];
  coupon: AppliedCoupon | null;
  country: string | null;
  catalogue: Catalogue;
  statuses: Statuses;
  account: Account;
}): ShownBill {
  const { now } = useShell();
  const saved = account.company?.address.country ?? null;
  const buyable = choices.filter(
    (choice) => refusalOf(catalogue, choice, statuses[choice.platform]) === null,
  );
  // Before a company is saved the provider knows no customer, and a first purchase costs what the catalogue says.
  const priced = account.company === null ? [] : buyable;
  const inputs = inputsOf(priced, { catalogue, coupon, country: saved });
  const wanted = useStable(inputs);
  const rested = useDebounced(wanted, PREVIEW_MS);
  const isResting = rested === wanted;
  const answers = useQueries({ queries: rested.map((input) => previewQuery(input)) });
  const shownCountry = country ?? saved ?? "";
  const isOther = country !== null && country !== saved;
  const rate = useQuery({ ...taxRateQuery(shownCountry), enabled: isOther && shownCountry !== "" });
  const previews = new Map<string, Preview>();
  if (isResting)
    rested.forEach(({ platform }, at) => {
      const data = answers[at]?.data;
      if (data) previews.set(platform, data);
    });
  const reduced = couponPlatforms(catalogue, buyable, coupon);
  const items = buyable.flatMap((choice) =>
    itemOf(choice, {
      catalogue,
      preview: previews.get(choice.platform) ?? null,
      coupon: reduced.has(choice.platform) ? coupon : null,
    }),
  );
  const bill = composeBill(items, {
    tax: { percent: isOther ? (rate.data ?? 0) : null, name: taxName(shownCountry) },
    code: coupon?.code ?? null,
    creditCents: account.balance,
    now,
  });
  const failed = answers.map(({ error }) => error).find((error) => isToldOf(error));
  return {
    ...bill,
    previews,
    isChecking: !isResting || answers.some(({ isFetching }) => isFetching) || (isOther && rate.isFetching),
    error: isResting ? (failed ?? null) : null,
    refresh: () => Promise.all(answers.map(({ refetch }) => refetch())),
    hasTax: shownCountry !== "",
  };
}

function inputsOf(
  choices: readonly Choice[],
  {
    catalogue,
    coupon,
    country,
  }: { catalogue: Catalogue; coupon: AppliedCoupon | null; country: string | null },
): PreviewInput[] {
  const reduced = couponPlatforms(catalogue, choices, coupon);
  return choices.flatMap((choice) => {
    const price = priceOfChoice(catalogue, choice);
    if (!price) return [];
    return [
      {
        platform: choice.platform,
        priceId: price.id,
        quantity: boughtQuantity(price, choice.quantity),
        period: choice.period,
        ...(coupon && reduced.has(choice.platform) ? { promotion_code: coupon.code } : {}),
        ...(country === null ? {} : { country }),
      },
    ];
  });
}

/** The same list as before while its content is the same. */
function useStable(inputs: PreviewInput[]): PreviewInput[] {
  const text = JSON.stringify(inputs);
  return useMemo(() => JSON.parse(text) as PreviewInput[], [text]);
}

function itemOf(
  choice: Choice,
  {
    catalogue,
    preview,
    coupon,
  }: { catalogue: Catalogue; preview: Preview | null; coupon: AppliedCoupon | null },
): BillItem[] {
  const price = priceOfChoice(catalogue, choice);
  const cents = price && costCents(price, choice.quantity);
  const bracket = price && bracketOf(price, choice.quantity);
  if (!price || cents === null || !bracket || choice.plan === "enterprise") return [];
  const month = priceOfChoice(catalogue, { ...choice, period: "month" });
  const monthCents = (month && costCents(month, choice.quantity)) ?? cents;
  const [one, many] = unitWords(choice.platform);
  return [
    {
      platform: choice.platform,
      title: `${labelOf(choice.platform)} ${checkoutCopy.plan.names[choice.plan]}`,
      amountText: price.isUnit
        ? copy.count(choice.quantity, choice.quantity === 1 ? one : many)
        : copy.range(bracket.from, bracket.to, many),
      isAnnual: choice.period === "year",
      cents,
      fullCents: choice.period === "year" ? monthCents * 12 : cents,
      discountCents: coupon ? discountOf(coupon, cents) : 0,
      preview,
    },
  ];
}

/** "VAT, Germany", where the country's companies have a VAT number, otherwise "Tax, United States". */
function taxName(country: string): string {
  if (country === "") return copy.plainTax;
  const isVat = taxIdTypes(country)[0]?.endsWith("_vat");
  return isVat ? copy.vat(countryName(country)) : copy.tax(countryName(country));
}
