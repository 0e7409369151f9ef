import type { Context } from "hono";
import { beginFederation, completeFederation } from "#core/accounts/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { logger } from "#core/kernel/logger.ts";
import type { ApiEnv } from "../api-env.ts";
import type { Api } from "../mount-route.ts";

/**
 * `GET /identity/federation/start|callback`: sign-in through Google or a company's single sign-on. Both are navigations
 * and answer with a redirect. Errors redirect to the sign-in page with their code.
 */
export function mountFederation(api: Api): void {
  api.get("/identity/federation/start", (c) =>
    orToSignIn(c, async () => {
      const { provider = "", domain = null, next = null } = c.req.query();
      const begun = await beginFederation(c.var.services, { provider, domain, next }, c.req.raw.headers);
      return redirect(begun.url, begun.setCookie);
    }),
  );
  api.get("/identity/federation/callback", (c) =>
    orToSignIn(c, async () => {
      const order = { query: new URL(c.req.url).searchParams, headers: c.req.raw.headers };
      const { kind, next, setCookie } = await completeFederation(c.var.services, order);
      return redirect(kind === "session" ? next : signInPage({ challenge: "1", next }), setCookie);
    }),
  );
}

/** Redirects to the sign-in page on errors that the user must see. */
async function orToSignIn(c: Context<ApiEnv>, act: () => Promise<Response>): Promise<Response> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, cause } = error;
    const { requestId } = c.var;
    // Log only the library's error code: its messages may quote received data.
    const reason = cause instanceof Error ? ((cause as { code?: string }).code ?? cause.name) : null;
    logger("api").info("a sign-in elsewhere was refused with {refusal}", {
      refusal: code,
      requestId,
      reason,
    });
    const provider = error.details.provider ?? c.req.query("provider");
    return redirect(signInPage({ failure: code, next: c.req.query("next"), provider }), []);
  }
}

function signInPage(order: {
  failure?: string;
  challenge?: string;
  next?: string;
  provider?: unknown;
}): string {
  const { failure, challenge, next, provider } = order;
  const query = new URLSearchParams({
    ...(failure ? { failure } : {}),
    ...(challenge ? { challenge } : {}),
    // Keep the selected configuration.
    ...(provider === "okta" ? { okta: "1" } : {}),
    ...(next && next !== "/" ? { next } : {}),
  });
  return `/auth/login?${query}`;
}

function redirect(location: string, setCookie: readonly string[]): Response {
  const headers = new Headers({ Location: location });
  for (const value of setCookie) headers.append("Set-Cookie", value);
  return new Response(null, { status: 302, headers });
}
