import type { MiddlewareHandler } from "hono";

/** A request to a simulated API and its response, for contract checks. */
export type AnsweredExchange = { method: string; url: string; status: number; body: unknown };

/** Passes on every answer below a prefix, with the URL after it. Does nothing when nobody watches. */
export function watchAnswers(
  prefix: string,
  onAnswer: ((exchange: AnsweredExchange) => void) | undefined,
): MiddlewareHandler {
  return async (c, next) => {
    await next();
    if (!onAnswer) return;
    const isJson = c.res.headers.get("content-type")?.includes("json") === true;
    const body: unknown = isJson ? await c.res.clone().json() : null;
    const url = c.req.url.slice(c.req.url.indexOf(`${prefix}/`) + prefix.length);
    onAnswer({ method: c.req.method, url, status: c.res.status, body });
  };
}
