import { readFileSync } from "node:fs";
import { Hono } from "hono";
import { endChallenge } from "./challenge.ts";
import { StripeFault } from "./errors.ts";
import { parseForm } from "./form.ts";
import { plain } from "./render.ts";
import type { StripeWorld } from "./state.ts";

/** The parts of the script, in the order in which they need one another. */
const PARTS = ["card-form.js", "challenge.js", "stripe.js"];

function scriptFor(base: string): string {
  const parts = PARTS.map((name) => readFileSync(new URL(`./browser/${name}`, import.meta.url), "utf8"));
  return `(() => {\nconst BASE = ${JSON.stringify(base)};\n${parts.join("\n")}\n})();\n`;
}

/** The stand-in for Stripe.js, and what its dialog of 3-D Secure calls. */
export function browserApp(world: StripeWorld): Hono {
  const app = new Hono();
  for (const path of ["/v3/", "/v3", "/endive/stripe.js"]) {
    app.get(path, (c) =>
      c.body(scriptFor(world.url), 200, {
        "Content-Type": "text/javascript; charset=utf-8",
        "Cache-Control": "no-store",
        "Access-Control-Allow-Origin": "*",
        "Cross-Origin-Resource-Policy": "cross-origin",
      }),
    );
  }
  app.options("/v3/challenge", (c) => {
    c.header("Access-Control-Allow-Origin", "*");
    c.header("Access-Control-Allow-Headers", "Authorization, Content-Type");
    return c.body(null, 204);
  });
  app.post("/v3/challenge", async (c) => {
    c.header("Access-Control-Allow-Origin", "*");
    const { client_secret: secret = "", is_passed: isPassed } = parseForm(await c.req.text());
    try {
      const intent = endChallenge(world, String(secret), isPassed === "true");
      world.save();
      world.deliver();
      return c.json(plain(world, intent));
    } catch (error) {
      if (!(error instanceof StripeFault)) throw error;
      return c.json({ error: error.body }, error.status === 404 ? 404 : 400);
    }
  });
  return app;
}
