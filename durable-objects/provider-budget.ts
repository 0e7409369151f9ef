import { DurableObject } from "cloudflare:workers";

/** One per provider account or app key. */
export class ProviderBudget extends DurableObject {}
