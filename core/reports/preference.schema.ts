import { z } from "zod";
import { isTimeZone, WEEKDAYS } from "./local-time.ts";

const timeZone = z.string().refine(isTimeZone, "is no known time zone").optional();

const common = {
  isActive: z.boolean(),
  /** Null = neither box is ticked, so there is nothing to report. */
  reportType: z.enum(["all", "succeeded", "failed"]).nullable(),
  /** Time zone from the browser. The stored one stays when absent. */
  timeZone,
};

/** The form of Email Reporting (spec ). Only weekly reports have a day. */
export const preferenceSchema = z.discriminatedUnion("frequency", [
  z.strictObject({ ...common, frequency: z.literal("daily"), reportDay: z.null().optional() }),
  z.strictObject({ ...common, frequency: z.literal("weekly"), reportDay: z.enum(WEEKDAYS) }),
]);
export type PreferenceOrder = z.output<typeof preferenceSchema>;

/** The form of the master switch. */
export const subscriptionSchema = z.strictObject({ isSubscribed: z.boolean(), timeZone });
export type SubscriptionOrder = z.output<typeof subscriptionSchema>;
