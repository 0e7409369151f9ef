/**
 * The whole product with its screens, plus the baseline: the same bytes, served by the same workerd without further
 * work. The bench's own routes are below `/bench`.
 */
import { REGIONS } from "#core/kernel/platform-id.ts";
import { askedQueries } from "#tests/harness/asked-queries.ts";
import { http } from "#workers/http.ts";
import { configureLogging } from "#workers/logging.ts";
import orders from "./worker.ts";

export { AccountHub } from "#durable-objects/account-hub.ts";
export { ProviderBudget } from "#durable-objects/provider-budget.ts";
export { Runner } from "#workers/queues/runner.ts";

configureLogging();

let page = new ArrayBuffer(0);

/** Draws the page of the query's `path` for the same visitor. Returns its text and the queries that it needed. */
async function queriesOf(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
  const queries: string[] = [];
  const noting = {
    ...env,
    DB: askedQueries(env.DB, queries),
    ...Object.fromEntries(
      REGIONS.map((region) => [`LEDGER_${region}`, askedQueries(env[`LEDGER_${region}`], queries)]),
    ),
  } as Env;
  const url = new URL(new URL(request.url).searchParams.get("path") ?? "/", request.url);
  const answer = await http.fetch(new Request(url, { headers: request.headers }), noting, context);
  return Response.json({ text: await answer.text(), queries });
}

export default {
  async fetch(request: Request, env: Env, context: ExecutionContext) {
    const { pathname } = new URL(request.url);
    if (pathname === "/static" && request.method === "GET") {
      return new Response(page, { headers: { "Content-Type": "text/html; charset=utf-8" } });
    }
    if (pathname === "/static") {
      page = await request.arrayBuffer();
      return new Response("{}");
    }
    if (pathname === "/queries") return queriesOf(request, env, context);
    const isOrder = request.method === "POST" || pathname === "/ping";
    return isOrder ? orders.fetch(request, env, context) : http.fetch(request, env, context);
  },
} satisfies ExportedHandler<Env>;
