import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Stripe from "stripe";
import { expect, onTestFinished, test, vi } from "vitest";
import { stripeForTest } from "./test-world.ts";
import { signatureOf } from "./webhooks.ts";

type Got = { body: string; signature: string };

/** A receiver of events. */
async function receiver(status = 200) {
  const got: Got[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on("end", () => {
      got.push({ body, signature: String(request.headers["stripe-signature"]) });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, got };
}

const typesOf = (got: Got[]) => got.map(({ body }) => (JSON.parse(body) as { type: string }).type);
const provider = Stripe.createSubtleCryptoProvider();

test("an endpoint gets the events that it wants, and the official library accepts their signatures", async () => {
  const { stripe, control } = await stripeForTest();
  const { url, got } = await receiver();
  const endpoint = await stripe.webhookEndpoints.create({
    url,
    enabled_events: ["customer.created", "product.created"],
  });
  await control("webhooks/mode", { isHeld: false });
  const customer = await stripe.customers.create({ name: "Nora" });
  await stripe.customers.update(customer.id, { name: "Ivo" });
  await stripe.products.create({ name: "x" });
  await vi.waitFor(() => expect(got).toHaveLength(2));
  expect(typesOf(got)).toEqual(["customer.created", "product.created"]);
  const { body, signature } = got[0] as Got;
  const event = await stripe.webhooks.constructEventAsync(
    body,
    signature,
    String(endpoint.secret),
    300,
    provider,
  );
  expect(event).toMatchObject({
    type: "customer.created",
    api_version: "2026-10-28.endive",
    livemode: false,
  });
  expect(event.data.object).toMatchObject({ id: customer.id });
  const wrong = stripe.webhooks.constructEventAsync(body, signature, "whsec_other", 300, provider);
  await expect(wrong).rejects.toThrow("signature");
  expect((await stripe.webhookEndpoints.retrieve(endpoint.id)).secret).toBeUndefined();
});

test("the signature is the official library's own", async () => {
  const { stripe } = await stripeForTest();
  const [secret, payload, timestamp] = ["whsec_test", '{"id":"evt_1"}', 1_800_000_000];
  const theirs = await stripe.webhooks.generateTestHeaderStringAsync({ secret, payload, timestamp });
  expect(signatureOf(secret, payload, timestamp)).toBe(theirs);
});

test("deliveries can be held, taken, lost, doubled and put in another order", async () => {
  const { stripe, control } = await stripeForTest();
  const { url, got } = await receiver();
  await stripe.webhookEndpoints.create({ url, enabled_events: ["*"] });
  await stripe.customers.create({ name: "a" });
  type Taken = { deliveries: { type: string }[] };
  expect((await control<Taken>("webhooks/take", {})).deliveries.map(({ type }) => type)).toEqual([
    "customer.created",
  ]);
  expect((await control<Taken>("webhooks/take", {})).deliveries).toEqual([]);
  for (let count = 0; count < 12; count += 1) await stripe.customers.create({ name: String(count) });
  await control("webhooks/mode", { copies: 2, isShuffled: true, drops: 2 });
  await control("webhooks/send", {});
  expect(got).toHaveLength(20);
  const names = got.map(
    ({ body }) => (JSON.parse(body) as { data: { object: { name: string } } }).data.object.name,
  );
  expect(new Set(names).size).toBe(10);
  expect(names).not.toEqual([...names].sort((one, other) => Number(one) - Number(other)));
});

test("an event that is refused is sent again later, for three days", async () => {
  const { stripe, control } = await stripeForTest();
  const { url, got } = await receiver(500);
  await stripe.webhookEndpoints.create({ url, enabled_events: ["*"] });
  await control("webhooks/mode", { isHeld: false });
  await stripe.customers.create({ name: "a" });
  for (let attempts = 1; attempts <= 8; attempts += 1) {
    await vi.waitFor(() => expect(got).toHaveLength(attempts));
    await control("clock", { advance: 36 * 3_600 });
  }
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(got).toHaveLength(8);
});
