import type { Uses } from "#core/services.ts";

/** The services of asking the payment provider. */
export type AskServices = Uses<"clock" | "control" | "payments">;

/** The services of reading the customer from the payment provider, and of telling open screens. */
export type SyncServices = AskServices & Uses<"live">;

/** The services of a write that somebody else reads back. */
export type WriteServices = AskServices & Uses<"ids">;

/** The services of a write to the payment provider. */
export type PaymentServices = SyncServices & Uses<"ids">;

/** The services of a purchase, whose quotes are signed. */
export type QuoteServices = PaymentServices & { settings: { AUTH_SECRET: string } };
