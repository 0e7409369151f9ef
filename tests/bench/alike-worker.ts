/**
 * The whole product, plus routes that prepare known and unknown addresses for a comparison: people who all have a
 * password, and organisations that can keep inviting. Everything below `/identity` and `/api` is the product's.
 */
import { z } from "zod";
import { createPerson } from "#core/accounts/index.ts";
import { http } from "#workers/http.ts";
import { configureLogging } from "#workers/logging.ts";
import { buildServices } from "#workers/services.ts";
import orders from "./worker.ts";

export { AccountHub } from "#durable-objects/account-hub.ts";
export { ProviderBudget } from "#durable-objects/provider-budget.ts";
export { Runner } from "#workers/queues/runner.ts";

configureLogging();

export default {
  async fetch(request: Request, env: Env, context: ExecutionContext) {
    const { pathname } = new URL(request.url);
    if (pathname === "/people") return makePeople(request, env);
    if (pathname === "/forget-invitations") return forgetInvitations(env);
    const isProduct = /^\/(identity|api)\//.test(pathname);
    return isProduct ? http.fetch(request, env, context) : orders.fetch(request, env, context);
  },
} satisfies ExportedHandler<Env>;

/** All people share one password, because hashing one each would take longer than the measurement. */
async function makePeople(request: Request, env: Env): Promise<Response> {
  const { emails } = z.object({ emails: z.array(z.string()) }).parse(await request.json());
  const s = buildServices(env);
  const hash = await s.passwords.hash("kJ3-violet-harbour");
  for (const email of emails) {
    const person = { email, name: "Ann", familyName: "Example" };
    const { userId } = await createPerson(s, person);
    await env.DB.prepare(
      `INSERT INTO account (id, account_id, provider_id, user_id, password, created_at, updated_at)
       VALUES ('acc-' || ?1, ?1, 'credential', ?1, ?2, 0, 0)`,
    )
      .bind(userId, hash)
      .run();
  }
  await env.DB.prepare("UPDATE organisation SET name = 'Bench'").run();
  return Response.json({});
}

/**
 * Deletes invitations, because an organisation may only invite ten people and so many a day. Later measurements then
 * match the first.
 */
async function forgetInvitations(env: Env): Promise<Response> {
  await env.DB.batch([
    env.DB.prepare("DELETE FROM invitation"),
    env.DB.prepare("DELETE FROM audit_entry WHERE action = 'invite-user'"),
  ]);
  return Response.json({});
}
