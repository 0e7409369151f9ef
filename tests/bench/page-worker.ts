/**
 * The whole product with its screens, plus the baseline: the same bytes, served by the same workerd without further
 * work. The bench's own routes are below `/bench`.
 */
import { http } from "#workers/http.ts";
import { configureLogging } from "#workers/logging.ts";
import orders from "./worker.ts";

export { AccountHub } from "#durable-objects/account-hub.ts";
export { ProviderBudget } from "#durable-objects/provider-budget.ts";
export { Runner } from "#workers/queues/runner.ts";

configureLogging();

let page = new ArrayBuffer(0);

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
    const isOrder = request.method === "POST" || pathname === "/ping";
    return isOrder ? orders.fetch(request, env, context) : http.fetch(request, env, context);
  },
} satisfies ExportedHandler<Env>;
