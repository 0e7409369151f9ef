import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { PlatformStatus, SubscriptionView } from "#app/money/billing-queries.ts";
import { SubscriptionLine } from "#app/routes/_app.subscriptions/subscription-line.tsx";
import { rowsOf } from "#app/routes/_app.subscriptions/subscription-texts.ts";
import { renderScreen, textOf } from "#tests/harness/render-screen.tsx";

const APP = path.resolve(import.meta.dirname, "..");
const screens = readdirSync(APP, { recursive: true, encoding: "utf8" })
  .filter((name) => /(?<!\.test)\.tsx$/.test(name) && !name.startsWith("routes/_app.checkout/"))
  .map((name) => [name, readFileSync(path.join(APP, name), "utf8")] as const);
const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

test("[B-033] every button that buys, renews or upgrades leads to the checkout, and stores its platform first", () => {
  // The words of such buttons, and the copy that has them.
  const words = /copy\.(?:buy|subscribe|upgrade)\b|(?:failureCopy\.editSubscription|upgradeCopy\.go)\b/;
  const selling = screens.filter(([, text]) => /[`"']\/checkout/.test(text));
  expect(selling.map(([name]) => name).sort()).toEqual([
    "components/error-dialog.tsx",
    "components/upgrade-dialog.tsx",
    "routes/_app._index/subscription-card.tsx",
    "routes/_app.payment-history/payments-page.tsx",
    "routes/_app.platform.dashboard.$platform/limit-note.tsx",
    "routes/_app.settings.($tab)/subscription-prompt.tsx",
    "routes/_app.subscriptions/subscription-line.tsx",
    "shell/banner-stack.tsx",
    "shell/buy-dialog.tsx",
  ]);
  for (const [name, text] of selling) {
    const ways = count(text, /to="\/checkout"|(?:navigate|leave)\("\/checkout"\)/g);
    expect([name, ways, count(text, /rememberCheckout\(/g)]).toEqual([name, 1, 1]);
    expect([name, count(text, /[`"']\/checkout[^"'`]/g)]).toEqual([name, 0]);
  }
  for (const [name, text] of screens)
    if (words.test(text)) expect([name, text.includes("rememberCheckout(")]).toEqual([name, true]);
});

test.each<[SubscriptionView["status"], string]>([
  ["active", "Edit subscription"],
  ["trialing", "Subscribe now"],
  ["incomplete", "Finish the payment"],
  ["canceled", "Start again"],
  ["inactive", "Start again"],
])("[B-033] a subscription that is %s leads there by '%s'", (status, words) => {
  const subscription = {
    id: "sub_1",
    type: "subscription",
    status,
    ...{ platformName: "GitHub", planName: "Pro", plan: "pro_plan" },
    ...{ isAnnual: false, isCancel: false, isInvoiceRequested: false, isDisputed: false },
    ...{ cost: 48, quantity: 50, planQuantity: 50, finishDateInMillisecond: 1, latestInvoiceId: null },
    ...{ rightEnds: null, removed: null, moneyBack: null, pending: null },
  } as SubscriptionView;
  const [row] = rowsOf({ github: { addedItemsQuantity: 4, subscription } as PlatformStatus });
  const nothing = () => undefined;
  const actions = {
    ...{ cancel: nothing, keep: nothing, end: nothing, changeCard: nothing, showInvoice: nothing },
    busy: null,
  };
  const html = renderScreen(<SubscriptionLine row={row!} actions={actions} day={String} />);
  const links = html.match(/<a [^>]*href="\/checkout"[^>]*>.*?<\/a>/gs) ?? [];
  expect(links.map(textOf)).toEqual([words]);
});
