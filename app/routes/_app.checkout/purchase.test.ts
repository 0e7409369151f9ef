import { expect, test } from "vitest";
import { ApiError, type CallApi } from "#app/api/call-api.ts";
import type { Stripe } from "#app/money/stripe-js.ts";
import { buy, type CardSource, type ItemAnswer, type Order, payAgain } from "./purchase.ts";

const order: Order = {
  items: [
    { platform: "github", priceId: "github.pro.month", quantity: 50 },
    { platform: "trello", priceId: "trello.essential.month", quantity: 10 },
  ],
};
const item = (platform: string, more: Partial<ItemAnswer> = {}): ItemAnswer => ({
  ...{ platform, priceId: "p", subscriptionId: "s", paymentIntentStatus: "succeeded", clientSecret: null },
  ...{ secretOf: "payment", isPending: false, message: null, code: null },
  ...more,
});
const form: CardSource = { kind: "form", collect: async () => ({ id: "pm_1" }) };

/** Records what was done; the provider's answers are given. */
function tools(items: ItemAnswer[], provider: Partial<Stripe> = {}) {
  const done: string[] = [];
  const call = (async (line: string, input: Partial<Order> & { id?: string }) => {
    done.push(
      `${line.split("/").at(-1)} ${input.id ?? input.items?.map(({ platform }) => platform).join(",")}`,
    );
    return { result: items, message: null, beside: {} };
  }) as unknown as CallApi;
  const answer = (name: keyof Stripe, status: string) => async (given: unknown) => {
    done.push(
      `${name} ${typeof given === "string" ? given : (given as { clientSecret: string }).clientSecret}`,
    );
    return { paymentIntent: { id: "pi", status } };
  };
  const stripe = {
    handleNextAction: answer("handleNextAction", "succeeded"),
    confirmCardPayment: answer("confirmCardPayment", "succeeded"),
    confirmCardSetup: answer("confirmCardSetup", "succeeded"),
    ...provider,
  } as Stripe;
  return { done, tools: { call, stripe } };
}

test("a card is saved, then everything is bought in one call", async () => {
  const { done, tools: all } = tools([item("github"), item("trello")]);
  expect(await buy(all, form, order)).toEqual({ kind: "paid", platforms: ["github", "trello"] });
  expect(done).toEqual([
    "stripe-attach-user-payment-method pm_1",
    "stripe-create-subscriptions github,trello",
  ]);
});

test("[B-212] without a payment method nothing is sent, and the notice says so", async () => {
  const { done, tools: all } = tools([]);
  const card: CardSource = { kind: "form", collect: async () => ({ message: "incomplete" }) };
  expect(await buy(all, card, order)).toEqual({ kind: "no-card", message: "incomplete" });
  expect(done).toEqual([]);
});

test("a card that the bank refuses at once leaves everything to be ordered with another one", async () => {
  const { done, tools: all } = tools([item("github"), item("trello")]);
  const refusing = (async (line: string) => {
    done.push(line);
    throw new ApiError("No funds", { code: "err.payment.failed", status: 402 });
  }) as unknown as CallApi;
  const first = await buy({ ...all, call: refusing }, form, order);
  expect(first).toMatchObject({
    kind: "open",
    paid: [],
    open: [{ message: "No funds" }, { clientSecret: null }],
  });
  if (first.kind !== "open") return;
  expect(await payAgain({ ...all, call: refusing }, form, { open: first.open, order })).toMatchObject(first);
  expect(await payAgain(all, form, { open: first.open, order })).toMatchObject({ kind: "paid" });
  expect(done.at(-1)).toBe("stripe-create-subscriptions github,trello");
});

test("banks confirm one payment after the other", async () => {
  const asks = (platform: string) =>
    item(platform, { paymentIntentStatus: "requires_action", clientSecret: `secret-${platform}` });
  const { done, tools: all } = tools([asks("github"), asks("trello")]);
  expect(await buy(all, { kind: "on-file" }, order)).toEqual({
    kind: "paid",
    platforms: ["github", "trello"],
  });
  expect(done).toEqual([
    "stripe-create-subscriptions github,trello",
    "handleNextAction secret-github",
    "handleNextAction secret-trello",
  ]);
});

test("a refused payment stays open with its secret, and another card completes the same payment", async () => {
  const refused = item("trello", {
    ...{ paymentIntentStatus: "requires_payment_method", clientSecret: "secret-trello" },
    message: "Your card was declined.",
  });
  const { done, tools: all } = tools([item("github"), refused]);
  const first = await buy(all, form, order);
  expect(first).toEqual({
    kind: "open",
    paid: ["github"],
    open: [
      {
        ...{ platform: "trello", clientSecret: "secret-trello", secretOf: "payment" },
        message: "Your card was declined.",
      },
    ],
  });
  if (first.kind !== "open") return;
  done.length = 0;
  expect(await payAgain(all, form, { open: first.open, order })).toEqual({
    kind: "paid",
    platforms: ["trello"],
  });
  expect(done).toEqual(["stripe-attach-user-payment-method pm_1", "confirmCardPayment secret-trello"]);
});

test("a payment without a secret is ordered again, and no other one is", async () => {
  const lost = [{ platform: "trello", clientSecret: null, secretOf: "payment" as const, message: "gone" }];
  const { done, tools: all } = tools([item("trello")]);
  expect(await payAgain(all, form, { open: lost, order })).toEqual({ kind: "paid", platforms: ["trello"] });
  expect(done).toEqual(["stripe-attach-user-payment-method pm_1", "stripe-create-subscriptions trello"]);
});

test.each([
  [{ error: { message: "Your bank refused." } }, "Your bank refused."],
  [{ error: {} }, "Stripe payment error"],
  [{ error: { message: "" } }, "Stripe payment error"],
  [
    { paymentIntent: { id: "pi", status: "requires_payment_method" } },
    "Your card was declined for making repeated attempts or you have insufficient funds",
  ],
])("[B-272] [B-274] a refused confirmation tells why: %j", async (answer, message) => {
  const asks = item("github", { paymentIntentStatus: "requires_action", clientSecret: "s" });
  const { tools: all } = tools([asks], { handleNextAction: async () => answer });
  expect(await buy(all, form, order)).toMatchObject({ kind: "open", open: [{ message }] });
});

test("[B-271] [B-272] [B-274] a refused payment tells the provider's message, or ours when it has none", async () => {
  const told = async (message: string | null, clientSecret: string | null) => {
    const refused = item("github", { paymentIntentStatus: "requires_payment_method", clientSecret, message });
    const outcome = await buy(tools([refused]).tools, form, order);
    return outcome.kind === "open" ? outcome.open[0]?.message : outcome.kind;
  };
  expect(await told("Your card was declined.", "secret")).toBe("Your card was declined.");
  const declined = "Your card was declined for making repeated attempts or you have insufficient funds";
  for (const empty of [null, ""]) {
    expect(await told(empty, "secret")).toBe(declined);
    expect(await told(empty, null)).toBe("Stripe payment error");
  }
});

test("[B-266] [B-272] a refused call has the server's message, and ours when it has none", async () => {
  const seen: unknown[] = [];
  const call = (async (_line: string, _input: unknown, options: object) => {
    seen.push(options);
    return { result: [item("github")] };
  }) as unknown as CallApi;
  await buy({ ...tools([]).tools, call }, form, order);
  expect(seen).toEqual(Array(2).fill({ isQuiet: true, fallback: "Stripe payment error" }));
});

test("saving a card for later is confirmed as such", async () => {
  const open = [{ platform: "github", clientSecret: "seti", secretOf: "setup" as const, message: "" }];
  const { done, tools: all } = tools([]);
  await payAgain(all, form, { open, order });
  expect(done).toContain("confirmCardSetup seti");
});
