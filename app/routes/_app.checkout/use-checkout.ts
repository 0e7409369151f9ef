import { useSearchParams } from "@remix-run/react";
import { useEffect, useState } from "react";
import type { Statuses } from "#app/money/billing-queries.ts";
import type { Catalogue } from "#app/money/catalogue-view.ts";
import { CHECKOUT_PLATFORM_KEY, rememberCheckout } from "#app/shell/checkout-platform.ts";
import { type AppliedCoupon, type Memory, readMemory, writeMemory } from "./checkout-memory.ts";
import { type Choice, firstChoice, isAnnualSold, refusalOf } from "./choice.ts";

/** The state of the checkout, and what the screens can do with it. */
export type Checkout = {
  step: 1 | 2 | 3;
  current: string | null;
  /** The current choice first, then the other apps in the bill. */
  choices: readonly Choice[];
  choiceOf: (platform: string) => Choice | null;
  coupon: AppliedCoupon | null;
  choose: (platform: string) => void;
  change: (next: Partial<Omit<Choice, "platform">>) => void;
  /** Keeps the current choice in the bill, so that another app can be chosen. */
  addAnother: () => void;
  remove: (platform: string) => void;
  apply: (coupon: AppliedCoupon | null) => void;
  goTo: (step: 1 | 2 | 3) => void;
};

/**
 * Holds what is chosen in the tab's storage and the step in the URL, so that a reload and the back button keep both. A
 * step opens only after the one before it is complete (spec B-176).
 */
export function useCheckout(catalogue: Catalogue, statuses: Statuses): Checkout {
  const [search, setSearch] = useSearchParams();
  const [memory, setMemory] = useState(() => opening(catalogue, statuses, search.get("step")));
  useEffect(() => writeMemory(window.sessionStorage, memory), [memory]);
  const { current, others, choices, coupon, reached } = memory;
  const update = (change: Partial<Memory>) => setMemory((kept) => ({ ...kept, ...change }));
  const all = [current, ...others].flatMap((each) => (each === null ? [] : (choices[each] ?? [])));
  const isBuyable =
    all.length > 0 && all.every((choice) => refusalOf(catalogue, choice, statuses[choice.platform]) === null);
  const asked = Number(search.get("step") ?? 1);
  const step = isBuyable ? (Math.min(Math.max(1, asked || 1), reached) as 1 | 2 | 3) : 1;

  return {
    step,
    current,
    choices: all,
    choiceOf: (platform) => choices[platform] ?? null,
    coupon,
    choose(platform) {
      rememberCheckout(platform);
      const known = choices[platform] ?? firstChoice(catalogue, platform, statuses[platform]);
      update({
        current: platform,
        // An app that was in the bill is edited; the one that was shown is replaced.
        others: others.filter((each) => each !== platform),
        choices: { ...choices, [platform]: known },
      });
    },
    change(next) {
      const before = current === null ? undefined : choices[current];
      if (!before) return;
      const after = { ...before, ...next };
      const period = isAnnualSold(catalogue, before.platform) ? after.period : "month";
      update({ choices: { ...choices, [before.platform]: { ...after, period } } });
    },
    addAnother() {
      if (current !== null) update({ current: null, others: [...others, current] });
    },
    remove(platform) {
      update({
        current: current === platform ? null : current,
        others: others.filter((each) => each !== platform),
      });
    },
    apply: (next) => update({ coupon: next }),
    goTo(next) {
      if (next > reached) update({ reached: next });
      setSearch(next === 1 ? {} : { step: String(next) });
      window.scrollTo({ top: 0 });
    },
  };
}

/** What a tab opens with: its own checkout on a later step, otherwise the app that a button was pressed for. */
function opening(catalogue: Catalogue, statuses: Statuses, step: string | null): Memory {
  const isSold = (platform: string) => Object.hasOwn(catalogue, platform);
  const kept = readMemory(window.sessionStorage, isSold);
  if (step !== null && kept.current !== null) return kept;
  const wanted = window.localStorage.getItem(CHECKOUT_PLATFORM_KEY);
  if (wanted === null || !isSold(wanted)) return { ...kept, current: null };
  return {
    ...kept,
    current: wanted,
    others: kept.others.filter((each) => each !== wanted),
    choices: {
      ...kept.choices,
      [wanted]: kept.choices[wanted] ?? firstChoice(catalogue, wanted, statuses[wanted]),
    },
  };
}
