import { z } from "zod";
import { AppError } from "#core/kernel/app-error.ts";
import { storedJson } from "#core/kernel/stored-json.ts";

const placeSchema = z.object({
  externalId: z.string(),
  nodeId: z.string().nullable(),
  name: z.string(),
  type: z.enum(["User", "Organization"]),
  restores: z.enum(["partly", "no"]).optional(),
});

/** A part of a version to restore. */
const partSchema = z.strictObject({
  /** Path of its entry. */
  path: z.string(),
  title: z.string(),
  /** Null = a new item. */
  into: z.strictObject({ externalId: z.string(), name: z.string(), fullName: z.string() }).nullable(),
});
export type RestoredPart = z.output<typeof partSchema>;

/** The order of a restore run, stored with the run. */
const orderSchema = z.strictObject({
  name: z.string(),
  place: placeSchema.nullable(),
  emails: z.array(z.string()),
  options: z.record(z.string(), z.boolean()),
  /** When the version was taken, epoch ms. */
  takenAt: z.number(),
  /** The part to restore and the item that receives it. Absent = the whole version. */
  part: partSchema.optional(),
});
export type RestoreOrder = z.output<typeof orderSchema>;

/** The stored form of a run's order. */
export const restoreOrder = storedJson(1, orderSchema);

/**
 * Returns the order of a run. An unreadable order is refused, never guessed: a restore writes to the platform.
 * @throws AppError `err.request.invalid`
 */
export function requireOrder(run: { order: unknown }): RestoreOrder {
  const order = restoreOrder.read(run.order);
  if (order.kind === "value") return order.value;
  throw new AppError("err.request.invalid", {
    message:
      "Holdfast was updated and no longer understands what this restore was asked to do, so it wrote nothing more. Please start it again.",
  });
}
