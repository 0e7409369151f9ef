import { Hono } from "hono";
import { html } from "hono/html";
import { webPage } from "#connectors/toolkit/simulator/web-page.ts";
import { setClock } from "./clock.ts";
import { day, row, STRIPE_SITE, subscriptionRow } from "./page-parts.ts";
import type { StripeWorld } from "./state.ts";
import { all, clockNow, find } from "./store.ts";

const DAY = 86_400;
const STEPS: readonly (readonly [string, number])[] = [
  ["An hour", 3_600],
  ["A day", DAY],
  ["A week", 7 * DAY],
  ["A month", 31 * DAY],
];

/** The page at the root: the clock, which the demo moves, and what there is. */
export function dashboard(world: StripeWorld): Hono {
  const app = new Hono();
  app.get("/", (c) => {
    const subscriptions = all(world, "subscription").map((each) =>
      subscriptionRow(world, each, find(world, "customer", each.customer)?.email ?? each.customer),
    );
    const codes = all(world, "promotion_code").map(({ code, active, times_redeemed: times }) =>
      row(code, active ? "active" : "inactive", `redeemed ${times} times`),
    );
    const events = all(world, "event")
      .slice(0, 30)
      .map(({ type, created, id }) =>
        row(new Date(created * 1000).toISOString(), type, html`<code>${id}</code>`),
      );
    const steps = STEPS.map(
      ([what, seconds]) => html`<button name="seconds" value="${seconds}">${what}</button> `,
    );
    return c.html(
      webPage(
        STRIPE_SITE,
        "Dashboard",
        html`<h1>Test mode</h1>
          <p class="quiet">Every card is a test card: 4242 4242 4242 4242 pays, 4000 0027 6000 3184 asks its holder,
          4000 0000 0000 0341 is declined when it is charged.</p>
          <h2>Clock: ${new Date(clockNow(world) * 1000).toISOString()} (${day(clockNow(world))})</h2>
          <p class="small quiet">Moves the time of this Stripe only: renewals, retries and expiries happen on the way.</p>
          <form method="post" action="/clock">${steps}</form>
          <h2>Subscriptions</h2><table>${subscriptions}</table>
          <h2>Promotion codes</h2><table>${codes}</table>
          <h2>Events</h2><table class="small">${events}</table>`,
      ),
    );
  });
  app.post("/clock", async (c) => {
    const seconds = Number((await c.req.parseBody()).seconds);
    if (STEPS.some(([, step]) => step === seconds))
      setClock(world, { at: clockNow(world) + seconds, isStopped: false });
    return c.redirect("/", 303);
  });
  return app;
}
