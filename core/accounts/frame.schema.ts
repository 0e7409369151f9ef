import { z } from "zod";

const origin = z.string().regex(/^https?:\/\/[^/\s;,'"]+$/);

/** The frame of a host in which our pages are shown, and for whom. A signed call of the host has named all of it. */
export const frameSchema = z.strictObject({
  platform: z.string(),
  siteId: z.string(),
  accountId: z.string(),
  /** The customer's site; null when the host did not name it. */
  siteOrigin: origin.nullable(),
  /** The app's page at the host, which shows ours. */
  shellOrigin: origin,
  /** A marketplace sells the plan, so that ours are not offered (spec A-033). */
  isLicensed: z.boolean(),
  /** Epoch ms. */
  endsAt: z.number(),
});

export type Frame = z.output<typeof frameSchema>;
