import { Hono } from "hono";
import { isRegistered } from "#connectors/toolkit/simulator/oauth-desk.ts";
import { consentPage, errorPage, tokenPage } from "./consent-page.ts";
import type { TrelloWorld } from "./state.ts";
import { findMember } from "./store.ts";
import { issueLegacyToken } from "./tokens.ts";

const HOUR_MS = 3_600_000;
const LIFETIMES: Record<string, { ms: number | null; words: string }> = {
  "1hour": { ms: HOUR_MS, words: "one hour" },
  "1day": { ms: 24 * HOUR_MS, words: "one day" },
  "30days": { ms: 30 * 24 * HOUR_MS, words: "thirty days" },
  never: { ms: null, words: "until you take it back" },
};
const SCOPES = ["read", "write", "account"];

/** The web site's older page `/1/authorize`. It returns the token in the URL's fragment, which only browsers see. */
export function tokenPages(world: TrelloWorld): Hono {
  const app = new Hono();
  app.get("/1/authorize", (c) => {
    const asked = readRequest(world, c.req.query());
    if (asked.kind === "wrong") return c.html(errorPage(asked.message), 400);
    return c.html(
      consentPage({
        people: world.state.members,
        action: "/1/authorize",
        query: c.req.query(),
        scopes: asked.scopes,
        lasting: asked.lifetime.words,
        target: asked.returnUrl === null ? null : new URL(asked.returnUrl).host,
      }),
    );
  });
  app.post("/1/authorize", async (c) => {
    const form = Object.fromEntries(
      Object.entries(await c.req.parseBody()).map(([key, value]) => [key, String(value)]),
    );
    const asked = readRequest(world, form);
    if (asked.kind === "wrong") return c.html(errorPage(asked.message), 400);
    const { returnUrl, scopes, lifetime } = asked;
    if (form.decision !== "authorize") {
      if (returnUrl === null) return c.html(errorPage("You denied the request."));
      return c.redirect(`${returnUrl}#error=${encodeURIComponent("Token request rejected")}`, 302);
    }
    const member = findMember(world, form.login ?? "");
    if (!member) return c.html(errorPage("There is no such person."), 404);
    const { value } = issueLegacyToken(world, { idMember: member.id, scopes, lifetimeMs: lifetime.ms });
    return returnUrl === null ? c.html(tokenPage(value)) : c.redirect(`${returnUrl}#token=${value}`, 302);
  });
  return app;
}

type TokenRequest =
  | {
      kind: "right";
      returnUrl: string | null;
      scopes: string[];
      lifetime: { ms: number | null; words: string };
    }
  | { kind: "wrong"; message: string };

function readRequest(world: TrelloWorld, query: Record<string, string>): TokenRequest {
  const wrong = (message: string): TokenRequest => {
    world.refuse({ kind: "refused", method: "GET", path: "/1/authorize", status: 400, reason: message });
    return { kind: "wrong", message };
  };
  if (query.key !== world.settings.apiKey) return wrong("Invalid key.");
  if ((query.response_type ?? "token") !== "token") return wrong("Invalid response_type.");
  const scopes = (query.scope ?? "read").split(",");
  if (scopes.some((scope) => !SCOPES.includes(scope))) return wrong("Invalid scope.");
  const lifetime = LIFETIMES[query.expiration ?? "30days"];
  if (!lifetime) return wrong("Invalid expiration.");
  const returnUrl = query.return_url ? query.return_url : null;
  if (returnUrl !== null && !isRegistered(world.settings, returnUrl)) {
    return wrong("Invalid return_url. The return URL should match the application's allowed origins.");
  }
  // A fragment in the return URL would hide the token.
  if (returnUrl?.includes("#")) return wrong("Invalid return_url.");
  return { kind: "right", returnUrl, scopes, lifetime };
}
