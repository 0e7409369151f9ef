import { z } from "zod";

const subscribeSchema = z.object({
  kind: z.literal("subscribe"),
  customerId: z.string(),
  priceId: z.string(),
  priceKey: z.string(),
  quantity: z.int(),
  taxRates: z.array(z.string()),
  promotionId: z.string().nullable(),
});
const changeSchema = z.object({
  kind: z.literal("change"),
  subscriptionId: z.string(),
  itemId: z.string(),
  priceId: z.string(),
  priceKey: z.string(),
  quantity: z.int(),
  prorationAt: z.int(),
  isNewPeriod: z.boolean(),
});
/** The kind of a command by which a subscription follows the number of users (`recalculate.ts`). */
export const RECALCULATION = "recalculate";
/** The kind of the command that creates the organisation's customer (`customer.ts`). */
export const CUSTOMER = "customer";
/** The kind of a command after which the provider writes to the owner of today (`owner-email.ts`). */
export const OWNER_EMAIL = "owner-email";

/** What a command orders. It is stored before it is sent, and sent again as it was stored. */
export const orderSchema = z.discriminatedUnion("kind", [subscribeSchema, changeSchema]);
export type PurchaseOrder = z.output<typeof orderSchema>;

/** True when both orders are the same in everything that decides what is charged. */
export function isSameOrder(a: PurchaseOrder, b: PurchaseOrder): boolean {
  const [stored, wanted] = [orderSchema.parse(a), orderSchema.parse(b)];
  return JSON.stringify(stored) === JSON.stringify(wanted);
}

/** True when both orders ask for the same plan, quantity and promotion. Time and prices may differ. */
export function isSameChoice(a: PurchaseOrder, b: PurchaseOrder): boolean {
  const promotionOf = (order: PurchaseOrder) => (order.kind === "subscribe" ? order.promotionId : null);
  return (
    a.kind === b.kind &&
    a.priceKey === b.priceKey &&
    a.quantity === b.quantity &&
    promotionOf(a) === promotionOf(b)
  );
}

/** True when what runs is what was ordered. */
export const isRunning = (
  order: PurchaseOrder,
  { priceKey, quantity }: { priceKey: string | null; quantity: number },
): boolean => priceKey === order.priceKey && quantity === order.quantity;
