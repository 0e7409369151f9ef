/**
 * Objects are stored in the shape in which the API answers, with ids for what can be expanded. The types name only the
 * fields that rules use. `sim` holds what the real Stripe keeps to itself and is never answered.
 */
/** Every time is in seconds since 1970, as in Stripe's API. */
export type Seconds = number;
export type Metadata = Record<string, string>;
export type Address = Record<"city" | "country" | "line1" | "line2" | "postal_code" | "state", string | null>;
export type Thing<Name extends string> = { id: string; object: Name; livemode: false };
export type Born<Name extends string> = Thing<Name> & { created: Seconds };
