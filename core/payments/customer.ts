import { z } from "zod";
import { invariant } from "#core/kernel/invariant.ts";
import type { Member } from "#core/organisations/index.ts";
import { findCommand, insertCommand, markCommand, renewCommand } from "./command.store.ts";
import { KEY_LIFE_MS, shown } from "./commands.ts";
import type { AskServices } from "./deps.ts";
import { CUSTOMER } from "./order.ts";
import { type CustomerRow, insertCustomer, readProjection } from "./projection.store.ts";

const paramsSchema = z.object({ name: z.string(), email: z.string() });

/**
 * The organisation's customer; created before the first purchase. Two requests at once send the same key and the same
 * order, the first one's, and get the same customer. When a crash left a customer that we do not know, and the key is too
 * old to be sent again, it is found by its metadata. A failed look-up never creates one, and of several requests that find
 * none only one renews the key.
 *
 * @throws AppError `err.payment.unavailable`
 */
export async function ensureCustomer(deps: AskServices, member: Member): Promise<CustomerRow> {
  const { organisationId } = member;
  const present = (await readProjection(deps.control, organisationId)).customer;
  if (present) return present;
  const id = `customer:${organisationId}`;
  const now = deps.clock.now();
  await insertCommand(deps.control, {
    id,
    organisationId,
    platform: null,
    kind: CUSTOMER,
    paramsJson: JSON.stringify({ name: member.name, email: member.email }),
    state: "open",
    stripeId: null,
    createdAt: now,
  });
  let command = await requireCommand(deps, id);
  const order = paramsSchema.parse(JSON.parse(command.paramsJson));
  try {
    let customerId: string | undefined;
    if (command.createdAt + KEY_LIFE_MS < now) {
      [customerId] = await deps.payments.findCustomers({ organisationId, email: order.email });
      if (customerId === undefined) {
        await renewCommand(deps.control, { id, from: command.createdAt, to: now });
        command = await requireCommand(deps, id);
      }
    }
    const key = `${id}:${command.createdAt}`;
    customerId ??= await deps.payments.createCustomer({ organisationId, ...order }, key);
    await insertCustomer(deps.control, { organisationId, customerId });
    await markCommand(deps.control, { id, state: "done", stripeId: customerId });
  } catch (cause) {
    throw shown(cause);
  }
  const created = (await readProjection(deps.control, organisationId)).customer;
  invariant(created, "a customer that was inserted is there");
  return created;
}

async function requireCommand(deps: Pick<AskServices, "control">, id: string) {
  const command = await findCommand(deps.control, id);
  invariant(command, "a command that was stored is there");
  return command;
}
