import type { Uses } from "#core/services.ts";

/** The services of reading the customer from the payment provider. */
export type SyncServices = Uses<"clock" | "control" | "payments">;

/** The services of a write to the payment provider. */
export type PaymentServices = SyncServices & Uses<"ids">;

/** The services of a purchase, whose quotes are signed. */
export type QuoteServices = PaymentServices & { settings: { AUTH_SECRET: string } };
