import { z } from "zod";
import type { RestoreTarget } from "#connectors/contract/platform-connector.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { type StoredValue, storedJson } from "#core/kernel/stored-json.ts";

/** Earlier releases wrote neither `isOwn` nor `details`. Their own places have the type `User`. */
const placeSchema = z
  .object({
    externalId: z.string(),
    name: z.string(),
    type: z.string(),
    isOwn: z.boolean().optional(),
    restores: z.enum(["partly", "no"]).optional(),
    details: z.json().default(null),
  })
  .transform(({ isOwn, ...place }) => ({ ...place, isOwn: isOwn ?? place.type === "User" }));
const existingSchema = z.strictObject({ externalId: z.string(), name: z.string(), fullName: z.string() });

/** The order of a restore run, stored with the run. */
const orderSchema = z.strictObject({
  target: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("new"), name: z.string(), place: placeSchema.nullable() }),
    z.strictObject({ kind: z.literal("existing"), item: existingSchema }),
  ]),
  /** The only entry to restore; null = the whole version. */
  part: z.strictObject({ path: z.string(), title: z.string() }).nullable(),
  /** By the names of the connector's questions. The connector parses them, because a later release may ask others. */
  answers: z.record(
    z.string(),
    z.union([z.boolean(), z.string(), z.record(z.string(), z.string().nullable())]),
  ),
  emails: z.array(z.string()),
  /** When the version was taken, epoch ms. */
  takenAt: z.number(),
});
export type OrderedRestore = z.output<typeof orderSchema>;

/** Version 1, before restores had targets and answers. */
const firstForm = storedJson(
  1,
  z.strictObject({
    name: z.string(),
    place: placeSchema.nullable(),
    emails: z.array(z.string()),
    options: z.record(z.string(), z.boolean()),
    takenAt: z.number(),
    part: z.strictObject({ path: z.string(), title: z.string(), into: existingSchema.nullable() }).optional(),
  }),
);

function readFirstForm(stored: unknown): StoredValue<OrderedRestore> {
  const found = firstForm.read(stored);
  if (found.kind === "unreadable") return found;
  const { name, place, emails, options: answers, takenAt, part } = found.value;
  const target: RestoreTarget = part?.into
    ? { kind: "existing", item: part.into }
    : { kind: "new", name, place };
  const ordered = part ? { path: part.path, title: part.title } : null;
  return { kind: "value", value: { target, part: ordered, answers, emails, takenAt } };
}

/** The form in which a run keeps its order. */
export const restoreOrder = storedJson(2, orderSchema, readFirstForm);

/**
 * Returns the order of a run. An unreadable order is refused, never guessed: a restore writes to the platform.
 * @throws AppError `err.request.invalid`
 */
export function requireOrder(run: { order: unknown }): OrderedRestore {
  const order = restoreOrder.read(run.order);
  if (order.kind === "value") return order.value;
  throw new AppError("err.request.invalid", {
    message:
      "Holdfast was updated and no longer understands what this restore was asked to do, so it wrote nothing more. Please start it again.",
  });
}

/** Returns the name of the target. */
export function targetName({ target }: Pick<OrderedRestore, "target">): string {
  return target.kind === "new" ? target.name : target.item.name;
}
