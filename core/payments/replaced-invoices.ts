import { z } from "zod";
import { PaymentError } from "#connectors/contract/payment-provider.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { logger } from "#core/kernel/logger.ts";
import type { Uses } from "#core/services.ts";
import { insertCommand, listOpenCommands, markCommand } from "./command.store.ts";
import type { AskServices } from "./deps.ts";
import { listOwed } from "./owed.ts";
import { readProjection, type SubscriptionRow } from "./projection.store.ts";

const log = logger("payments");

/** A bank that asks is answered within minutes; after a day nobody will. */
const ANSWER_MS = DAY_MS;

const replacementSchema = z.object({
  subscriptionId: z.string(),
  /** The invoice with whose payment the others become void. */
  paidId: z.string(),
  replacedIds: z.array(z.string()),
});

/** A stored intention: once `paidId` is paid, `replacedIds` are void. */
type Replacement = z.infer<typeof replacementSchema> & { commandId: string; organisationId: string };

/**
 * Stores which invoices become void once the last owed one is paid. Called before anything is paid. Null when there are
 * none.
 */
export async function noteReplacement(
  deps: Uses<"clock" | "control" | "ids">,
  { id: subscriptionId, organisationId }: Pick<SubscriptionRow, "id" | "organisationId">,
  debt: { owed: readonly { id: string }[]; replaced: readonly { id: string }[] },
): Promise<Replacement | null> {
  const paidId = debt.owed.at(-1)?.id;
  if (paidId === undefined || debt.replaced.length === 0) return null;
  const commandId = deps.ids.next("command");
  const params = { subscriptionId, paidId, replacedIds: debt.replaced.map(({ id }) => id) };
  await insertCommand(deps.control, {
    id: commandId,
    organisationId,
    platform: null,
    kind: "replace",
    paramsJson: JSON.stringify(params),
    state: "open",
    stripeId: null,
    createdAt: deps.clock.now(),
  });
  return { ...params, commandId, organisationId };
}

/** Forgets it: the card was declined, so that nothing is replaced. */
export async function dropReplacement(deps: Uses<"control">, { commandId }: Replacement): Promise<void> {
  await markCommand(deps.control, { id: commandId, state: "failed" });
}

/**
 * Voids the replaced invoices after the payment. That is no part of what its owner asked for: when the provider fails
 * here, the payment has succeeded all the same, and the cron goes on.
 */
export async function voidReplaced(
  deps: Uses<"control" | "payments">,
  replacement: Replacement,
): Promise<void> {
  try {
    await voidThem(deps, replacement);
  } catch (cause) {
    if (!(cause instanceof PaymentError)) throw cause;
    const { organisationId } = replacement;
    log.warn("Replaced invoices of {organisationId} are not void yet", { organisationId, cause });
  }
}

/** Done again, it voids only what is still owed. */
async function voidThem(
  deps: Uses<"control" | "payments">,
  { commandId, organisationId, subscriptionId, replacedIds }: Replacement,
): Promise<void> {
  const { customer } = await readProjection(deps.control, organisationId);
  if (!customer) return;
  for (const { id } of await listOwed(deps, customer.stripeCustomerId, subscriptionId))
    if (replacedIds.includes(id)) await deps.payments.voidInvoice(id, `${commandId}:void:${id}`);
  await markCommand(deps.control, { id: commandId, state: "done" });
}

/**
 * Goes on with payments that died before the replaced invoices were void, and with those that the bank confirmed later:
 * in the cron, and before a debt is read, because a replaced invoice must not be paid. One whose
 * invoice nobody paid within a day is dropped: without the payment nothing is replaced. Beside the invocation that pays
 * it sends the same keys, so that both may void.
 * @throws PaymentError when the provider cannot be asked; the cron tries again
 */
export async function finishReplacements(deps: AskServices, organisationId: string): Promise<void> {
  const now = deps.clock.now();
  const open = await listOpenCommands(deps.control, organisationId);
  for (const { id: commandId, paramsJson, createdAt } of open.filter(({ kind }) => kind === "replace")) {
    const params = replacementSchema.parse(JSON.parse(paramsJson));
    const replacement = { ...params, commandId, organisationId };
    const { state } = await deps.payments.readInvoice(params.paidId);
    if (state === "paid") await voidThem(deps, replacement);
    else if (state === "void" || createdAt + ANSWER_MS < now) await dropReplacement(deps, replacement);
  }
}
