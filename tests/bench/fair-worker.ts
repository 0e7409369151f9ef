/** The bench's routes plus the product's queue consumers and runners: queued jobs run by themselves. */
import { z } from "zod";
import { createRuns } from "#core/runs/index.ts";
import { configureLogging } from "#workers/logging.ts";
import { consume } from "#workers/queues/consume.ts";
import { buildServices } from "#workers/services.ts";
import orders from "./worker.ts";

export { AccountHub } from "#durable-objects/account-hub.ts";
export { ProviderBudget } from "#durable-objects/provider-budget.ts";
export { Runner } from "#workers/queues/runner.ts";

configureLogging();

const REGION = "US";

export default {
  async fetch(request: Request, env: Env, context: ExecutionContext) {
    const { pathname } = new URL(request.url);
    if (pathname === "/together") return backUpTogether(request, env);
    if (pathname === "/runs") return listRuns(env);
    return orders.fetch(request, env, context);
  },
  async queue(batch: MessageBatch<unknown>, env: Env) {
    await consume(buildServices(env), batch);
  },
} satisfies ExportedHandler<Env>;

const orderSchema = z.object({
  world: z.object({ organisationId: z.string(), connectionId: z.string(), userId: z.string() }),
  itemIds: z.array(z.string()),
});

/** Queues a backup of each item at the same time, as clicks in the app would. */
async function backUpTogether(request: Request, env: Env): Promise<Response> {
  const { world, itemIds } = orderSchema.parse(await request.json());
  const s = buildServices(env);
  const { organisationId, connectionId, userId } = world;
  const runs = itemIds.map((itemId) => ({
    id: s.ids.next("run"),
    organisationId,
    connectionId,
    itemId,
    platform: "github",
    kind: "backup" as const,
    trigger: "user" as const,
    order: null,
    snapshotId: null,
    createdBy: userId,
  }));
  await createRuns(s.ledger(REGION), runs, s.clock.now());
  await s.queue.send(
    runs.map(({ id }) => ({
      job: "back-up-item" as const,
      payload: { region: REGION, organisationId, runId: id, epoch: 0 },
    })),
  );
  return Response.json({});
}

/** Every backup of the account: its status, and the time from the click to its end. */
async function listRuns(env: Env): Promise<Response> {
  const { results } = await env[`LEDGER_${REGION}`]
    .prepare(
      `SELECT item_id AS itemId, status, finished_at - created_at AS milliseconds FROM run
       WHERE kind = 'backup' ORDER BY created_at, id`,
    )
    .all();
  return Response.json(results);
}
