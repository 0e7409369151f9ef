import { DurableObject } from "cloudflare:workers";

/** One per account owner. */
export class AccountHub extends DurableObject {}
