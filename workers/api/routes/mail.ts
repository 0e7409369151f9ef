import { z } from "zod";
import { contactSchema } from "#core/contact/contact.schema.ts";
import { sendContactRequest } from "#core/contact/index.ts";
import {
  followSubscriptionLink,
  getPreferences,
  type Preference,
  savePreferences,
  setSubscription,
  WEEKDAYS,
} from "#core/reports/index.ts";
import { preferenceSchema, subscriptionSchema } from "#core/reports/preference.schema.ts";
import { type Api, mountRoute } from "../mount-route.ts";
import { wireText } from "../wire-fields.ts";

const tag = "E-mail";

const PREFERENCE_FIELDS = {
  preference: "email_preferences",
  isActive: "is_active",
  reportType: "report_type",
  reportDay: "report_day",
  timeZone: "time_zone",
};

const preferenceResult = z.object({
  is_active: z.boolean(),
  frequency: z.enum(["daily", "weekly"]),
  report_type: z.enum(["all", "succeeded", "failed"]).nullable(),
  report_day: z.enum(WEEKDAYS).nullable(),
  time_zone: z.string(),
});

/** Much longer than any of our links. */
const linkSchema = z.strictObject({ content: wireText(2000).min(1), iv: wireText(100).min(1) });

/** Calls for e-mail reports and the contact form (spec parts 1 and 3, section 7). */
export function mountMail(api: Api): void {
  mountPreferences(api);
  mountLinks(api);
  mountRoute(api, {
    method: "POST",
    path: "/contactus",
    summary: "Ask a question",
    tag,
    isPublic: true,
    input: contactSchema,
    fields: { firstName: "first_name", lastName: "last_name" },
    result: z.null(),
    refuses: ["err.attempts.limit"],
    handle: async (s, _, input, c) => {
      await sendContactRequest(s, input, { headers: c.req.raw.headers, member: c.var.member });
      return { result: null, message: "Your request was successfully sent!" };
    },
  });
}

function mountPreferences(api: Api): void {
  mountRoute(api, {
    method: "GET",
    path: "/user/email-preferences",
    summary: "Which reports the person gets",
    tag,
    input: z.strictObject({}),
    result: preferenceResult,
    handle: async (s, m) => ({ result: onWire(await getPreferences(s, m)) }),
  });
  mountRoute(api, {
    method: "PUT",
    path: "/user/email-preferences",
    summary: "Choose which reports to get",
    tag,
    input: z.strictObject({ preference: preferenceSchema }),
    fields: PREFERENCE_FIELDS,
    result: preferenceResult,
    handle: async (s, m, { preference }) => ({
      result: onWire(await savePreferences(s, m, preference)),
      message: "Your email preferences were saved.",
    }),
  });
  mountRoute(api, {
    method: "PUT",
    path: "/user/subscribe-mail-sending",
    summary: "Switch reports on or off",
    tag,
    input: subscriptionSchema,
    fields: { isSubscribed: "isSubscribedToMail", timeZone: "time_zone" },
    result: z.object({ isSubscribedToMail: z.boolean() }),
    handle: async (s, m, input) => {
      await setSubscription(s, m, input);
      return {
        result: { isSubscribedToMail: input.isSubscribed },
        message: input.isSubscribed ? "Email reports are on." : "Email reports are off.",
      };
    },
  });
}

function onWire({ isActive, frequency, reportType, reportDay, timeZone }: Preference) {
  return {
    is_active: isActive,
    frequency,
    report_type: reportType,
    report_day: reportDay,
    time_zone: timeZone,
  };
}

function mountLinks(api: Api): void {
  mountRoute(api, {
    method: "PUT",
    path: "/subscribe-mail-sending",
    summary: "Follow a link of a report that switches reports on or off",
    tag,
    isPublic: true,
    input: linkSchema,
    result: z.object({ isSubscribedToMail: z.boolean(), wasAlready: z.boolean() }),
    refuses: ["err.link.purpose"],
    handle: async (s, _, link) => {
      const { isSubscribed, wasAlready } = await followSubscriptionLink(s, link);
      return {
        result: { isSubscribedToMail: isSubscribed, wasAlready },
        message: sentence(isSubscribed, wasAlready),
      };
    },
  });
  // Mail clients post a form here without cookie or Origin (RFC 8058). The sealed link is the only authorisation, and
  // it can only stop reports. A GET of the URL redirects to the page.
  api.on(["GET", "HEAD"], ONE_CLICK, (c) =>
    c.redirect(`/subscribeToMail?${new URLSearchParams(linkOf(c.req.query()))}`),
  );
  api.post(ONE_CLICK, async (c) => {
    const { wasAlready } = await followSubscriptionLink(c.var.services, linkOf(c.req.query()), {
      only: "unsubscribe",
    });
    return c.text(sentence(false, wasAlready));
  });
}

const ONE_CLICK = "/api/mail/unsubscribe";

/** The link's parameters, cut to their maximum length. Opening the link validates them. */
function linkOf({ content = "", iv = "" }: Record<string, string>) {
  return { content: content.slice(0, 2000), iv: iv.slice(0, 100) };
}

function sentence(isSubscribed: boolean, wasAlready: boolean): string {
  if (isSubscribed)
    return wasAlready ? "You already get email reports." : "You will get email reports again.";
  return wasAlready
    ? "You were already unsubscribed from email reports."
    : "You have been unsubscribed from email reports.";
}
