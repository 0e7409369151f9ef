import { z } from "zod";
import { isTimeZone, WEEKDAYS } from "./local-time.ts";

const timeZone = z.string().refine(isTimeZone, "is no known time zone").optional();

const common = {
  isActive: z.boolean(),
  /** Null = neither box is ticked: there is nothing to report. */
  reportType: z.enum(["all", "succeeded", "failed"]).nullable(),
  /** Where the person is, as the browser says; kept as it was when absent. */
  timeZone,
};

/** What Email Reporting saves (spec ): a day belongs to weekly reports alone. */
export const preferenceSchema = z.discriminatedUnion("frequency", [
  z.strictObject({ ...common, frequency: z.literal("daily"), reportDay: z.null().optional() }),
  z.strictObject({ ...common, frequency: z.literal("weekly"), reportDay: z.enum(WEEKDAYS) }),
]);
export type PreferenceOrder = z.output<typeof preferenceSchema>;

/** What the master switch saves. */
export const subscriptionSchema = z.strictObject({ isSubscribed: z.boolean(), timeZone });
export type SubscriptionOrder = z.output<typeof subscriptionSchema>;
