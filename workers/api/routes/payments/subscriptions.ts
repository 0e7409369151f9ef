import { z } from "zod";
import { requireOwner } from "#core/organisations/index.ts";
import {
  cancelAllSubscriptions,
  cancelSubscription,
  endSubscription,
  resumeSubscription,
} from "#core/payments/index.ts";
import { type MountedRoute, route } from "../../mount-route.ts";
import { platformField } from "../../payment-answers.ts";
import { BILLING, tag } from "./words.ts";

const ofPlatform = z.strictObject({ platform: platformField });
const cancelled = z.object({
  platform: z.string(),
  cancel_at_period_end: z.boolean(),
  ends: z.number().nullable().describe("Epoch ms"),
});

/** Ending and keeping subscriptions (spec part 3 sections 2, 4 and 7). */
export const SUBSCRIPTIONS: readonly MountedRoute[] = [
  route({
    method: "POST",
    path: "/payments/stripe-cancel-subscription",
    summary: "Cancel one subscription at the end of the paid period",
    tag,
    input: ofPlatform,
    result: cancelled,
    refuses: [...BILLING, "err.not.found", "err.subscription.state"],
    handle: async (s, m, { platform }) => {
      requireOwner(m);
      const endsAt = await cancelSubscription(s, m, platform);
      return { result: { platform, cancel_at_period_end: true, ends: endsAt } };
    },
  }),
  route({
    method: "POST",
    path: "/payments/stripe-resume-subscription",
    summary: "Take a cancellation back",
    tag,
    input: ofPlatform,
    result: cancelled,
    refuses: [...BILLING, "err.not.found", "err.subscription.state"],
    handle: async (s, m, { platform }) => {
      requireOwner(m);
      await resumeSubscription(s, m, platform);
      return { result: { platform, cancel_at_period_end: false, ends: null } };
    },
  }),
  route({
    method: "GET",
    path: "/payments/stripe-cancel-all-subscriptions",
    summary: "Cancel every active subscription at the end of its paid period",
    tag,
    // The spec writes it as a GET.
    isStateChanging: true,
    input: z.strictObject({}),
    result: z.array(cancelled.extend({ message: z.string().nullable().describe("Why one was refused") })),
    refuses: BILLING,
    handle: async (s, m) => {
      requireOwner(m);
      const all = await cancelAllSubscriptions(s, m);
      return {
        result: all.map(({ platform, endsAt, message }) => ({
          platform,
          cancel_at_period_end: message === null,
          ends: endsAt,
          message,
        })),
      };
    },
  }),
  route({
    method: "POST",
    path: "/payments/stripe-end-subscription",
    summary: "End a subscription with a failed payment at once, and void its open invoice",
    tag,
    input: ofPlatform,
    result: z.object({ platform: z.string() }),
    refuses: [...BILLING, "err.not.found", "err.subscription.state"],
    handle: async (s, m, { platform }) => {
      requireOwner(m);
      await endSubscription(s, m, platform);
      return { result: { platform } };
    },
  }),
];
