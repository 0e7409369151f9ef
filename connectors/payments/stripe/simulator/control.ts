import { Hono } from "hono";
import { z } from "zod";
import { endChallenge, openChallenges } from "./challenge.ts";
import { setClock } from "./clock.ts";
import { cancelInPortal } from "./collect.ts";
import { closeDispute, openDispute } from "./disputes.ts";
import type { FormValue } from "./form.ts";
import { readParams } from "./params.ts";
import { refundCharge } from "./refunds.ts";
import { plain } from "./render.ts";
import { couponParams, createCoupon, createPromotionCode, promotionCodeParams } from "./routes/discounts.ts";
import type { Kind, StripeWorld } from "./state.ts";
import { all, clockNow, get } from "./store.ts";
import { sendDeliveries, takeDeliveries, waitingDeliveries } from "./webhooks.ts";

const seconds = z.number().int();
/** A moment in seconds, or as ISO text. */
const moment = z.union([seconds, z.iso.datetime().transform((text) => Math.floor(Date.parse(text) / 1000))]);
const clockOrder = z.union([
  z.strictObject({ at: moment, isStopped: z.boolean().default(true) }),
  z.strictObject({ advance: seconds.min(0) }),
  z.strictObject({ reset: z.literal(true) }),
]);
const failureOrder = z.strictObject({
  method: z.string().nullable().default(null),
  path: z.string().default("."),
  times: z.number().int().min(1).default(1),
  status: z.number().int().min(400).max(599).default(500),
  when: z.enum(["before", "after"]).default("before"),
});
const modeOrder = z.strictObject({
  isHeld: z.boolean().optional(),
  delayMs: z.number().int().min(0).optional(),
  copies: z.number().int().min(1).optional(),
  isShuffled: z.boolean().optional(),
  drops: z.number().int().min(0).optional(),
});
const decline = z
  .enum([
    "declined",
    "insufficient",
    "expired",
    "wrong-cvc",
    "lost",
    "stolen",
    "processing-error",
    "challenge-always",
  ])
  .default("declined");

/** `/__sim/stripe/…`: lets tests and the demo cause what happens at Stripe without us. */
export function controlRoutes(world: StripeWorld): Hono {
  const app = new Hono().basePath("/stripe");
  app.onError((error, c) => c.json({ message: error.message }, 400));
  app.use(async (_, next) => {
    await next();
    world.save();
  });
  app.route("/", clockControl(world));
  app.route("/", webhookControl(world));
  app.route("/", moneyControl(world));
  app.get("/dump", (c) => {
    const kinds = Object.keys(world.state.tables) as Kind[];
    return c.json(
      Object.fromEntries(kinds.map((kind) => [kind, all(world, kind).map((each) => plain(world, each))])),
    );
  });
  return app;
}

function clockControl(world: StripeWorld): Hono {
  const app = new Hono();
  const told = () => ({ now: clockNow(world), isStopped: world.state.clock.stoppedAt !== null });
  app.get("/clock", (c) => c.json(told()));
  app.post("/clock", async (c) => {
    const order = clockOrder.parse(await c.req.json());
    if ("reset" in order) setClock(world, { at: Math.floor(Date.now() / 1000), isStopped: false });
    else if ("at" in order) setClock(world, order);
    else {
      const isStopped = world.state.clock.stoppedAt !== null;
      setClock(world, { at: clockNow(world) + order.advance, isStopped });
    }
    return c.json(told());
  });
  return app;
}

function webhookControl(world: StripeWorld): Hono {
  const app = new Hono();
  app.post("/webhooks/mode", async (c) => {
    const given = modeOrder.parse(await c.req.json());
    Object.assign(world.state.mode, given);
    world.deliver();
    return c.json(world.state.mode);
  });
  app.get("/webhooks/waiting", (c) => c.json({ deliveries: waitingDeliveries(world) }));
  // For tests whose product no HTTP request can reach: they hand the events over themselves.
  app.post("/webhooks/take", (c) => c.json({ deliveries: takeDeliveries(world) }));
  app.post("/webhooks/send", async (c) => {
    await sendDeliveries(world, true);
    return c.body(null, 204);
  });
  app.get("/webhooks/deliveries", (c) =>
    c.json({ deliveries: world.state.deliveries.map(({ body: _, ...rest }) => rest) }),
  );
  return app;
}

/** JSON as the text values of a form. */
function asForm(value: unknown): FormValue {
  if (Array.isArray(value)) return value.map(asForm);
  if (value === null) return "";
  if (typeof value !== "object") return String(value);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, asForm(inner)]));
}

function moneyControl(world: StripeWorld): Hono {
  const app = new Hono();
  const formOf = async (request: { json(): Promise<unknown> }) =>
    asForm(await request.json()) as Record<string, FormValue>;
  app.post("/coupons", async (c) =>
    c.json(plain(world, createCoupon(world, readParams(couponParams, await formOf(c.req)))), 201),
  );
  app.post("/promotion-codes", async (c) =>
    c.json(
      plain(world, createPromotionCode(world, readParams(promotionCodeParams, await formOf(c.req)))),
      201,
    ),
  );
  app.post("/failures", async (c) => {
    world.state.failures.push(failureOrder.parse(await c.req.json()));
    return c.body(null, 204);
  });
  app.post("/decline-next", async (c) => {
    const { times, outcome } = z
      .strictObject({ times: z.number().int().min(1).default(1), outcome: decline })
      .parse(await c.req.json());
    for (let count = 0; count < times; count += 1) world.state.declines.push(outcome);
    return c.body(null, 204);
  });
  app.get("/challenges", (c) => c.json({ intents: openChallenges(world) }));
  app.post("/challenges", async (c) => {
    const order = z
      .strictObject({ intent: z.string(), isPassed: z.boolean().default(true) })
      .parse(await c.req.json());
    const intent = endChallenge(world, order.intent, order.isPassed);
    world.deliver();
    return c.json(plain(world, intent));
  });
  app.post("/refunds", async (c) => {
    const order = z
      .strictObject({ charge: z.string(), amount: z.number().int().optional() })
      .parse(await c.req.json());
    const refund = refundCharge(world, get(world, "charge", order.charge), order.amount ?? null, null, {});
    world.deliver();
    return c.json(plain(world, refund), 201);
  });
  app.post("/disputes", async (c) => {
    const { charge } = z.strictObject({ charge: z.string() }).parse(await c.req.json());
    const dispute = openDispute(world, get(world, "charge", charge));
    world.deliver();
    return c.json(plain(world, dispute), 201);
  });
  app.post("/disputes/close", async (c) => {
    const { dispute, outcome } = z
      .strictObject({ dispute: z.string(), outcome: z.enum(["lost", "won"]) })
      .parse(await c.req.json());
    const closed = closeDispute(world, get(world, "dispute", dispute), outcome);
    world.deliver();
    return c.json(plain(world, closed));
  });
  app.post("/cancel-in-portal", async (c) => {
    const { subscription: id } = z.strictObject({ subscription: z.string() }).parse(await c.req.json());
    const subscription = get(world, "subscription", id);
    cancelInPortal(world, subscription);
    world.deliver();
    return c.json(plain(world, subscription));
  });
  return app;
}
