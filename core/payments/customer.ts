import { z } from "zod";
import { invariant } from "#core/kernel/invariant.ts";
import type { Member } from "#core/organisations/index.ts";
import { findCommand, insertCommand, markCommand, renewCommand } from "./command.store.ts";
import { KEY_LIFE_MS, shown } from "./commands.ts";
import type { SyncServices } from "./deps.ts";
import { type CustomerRow, insertCustomer, readProjection } from "./projection.store.ts";

const paramsSchema = z.object({ name: z.string(), email: z.string() });

/**
 * The organisation's customer; created before the first purchase. Two requests at once send the same key and the same
 * order, the first one's, and get the same customer. When a crash left a customer that we do not know, and the key is too
 * old to be sent again, it is found by its metadata. A failed look-up never creates one.
 *
 * @throws AppError `err.payment.unavailable`
 */
export async function ensureCustomer(deps: SyncServices, member: Member): Promise<CustomerRow> {
  const { organisationId } = member;
  const present = (await readProjection(deps.control, organisationId)).customer;
  if (present) return present;
  const id = `customer:${organisationId}`;
  const now = deps.clock.now();
  const own = { name: member.name, email: member.email };
  const isFirst = await insertCommand(deps.control, {
    id,
    organisationId,
    platform: null,
    kind: "customer",
    paramsJson: JSON.stringify(own),
    state: "open",
    stripeId: null,
    createdAt: now,
  });
  const stored = isFirst ? null : await findCommand(deps.control, id);
  const order = stored ? paramsSchema.parse(JSON.parse(stored.paramsJson)) : own;
  try {
    let customerId: string | undefined;
    let key = `${id}:${stored?.createdAt ?? now}`;
    if (stored && stored.createdAt + KEY_LIFE_MS < now) {
      [customerId] = await deps.payments.findCustomers({ organisationId, email: order.email });
      if (customerId === undefined) {
        await renewCommand(deps.control, { id, paramsJson: stored.paramsJson, createdAt: now });
        key = `${id}:${now}`;
      }
    }
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
