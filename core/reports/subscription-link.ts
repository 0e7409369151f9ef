import { z } from "zod";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { type Clock, DAY_MS } from "#core/kernel/clock.ts";
import type { IdSource } from "#core/kernel/ids.ts";
import { openLink, type SealedLink, sealLink } from "#core/links/index.ts";
import { findReader } from "./preferences.store.ts";
import { setSubscription } from "./preferences.ts";

const PURPOSE = "unsubscribe";
/** Reports may be opened long after they were sent, and the unsubscribe link must still work. */
const LINK_LIFE_MS = 365 * DAY_MS;

const payloadSchema = z.strictObject({ userId: z.string(), isSubscribed: z.boolean() });

type LinkDeps = { clock: Clock; settings: { LINK_KEYS: string; PUBLIC_URL: string } };

/** Returns the unsubscribe URLs: the page for people, and the one-click address for mail programs. */
export async function unsubscribeUrls(
  deps: LinkDeps,
  userId: string,
): Promise<{ unsubscribeUrl: string; oneClickUrl: string }> {
  const link = await sealSubscription(deps, { userId, isSubscribed: false });
  const query = new URLSearchParams(link);
  return {
    unsubscribeUrl: `${deps.settings.PUBLIC_URL}/subscribeToMail?${query}`,
    oneClickUrl: `${deps.settings.PUBLIC_URL}/api/mail/unsubscribe?${query}`,
  };
}

/** Creates a link that switches a person's reports on or off, valid for a year. */
export function sealSubscription(
  deps: LinkDeps,
  payload: z.infer<typeof payloadSchema>,
): Promise<SealedLink> {
  return sealLink(deps, { purpose: PURPOSE, payload, expiresAt: deps.clock.now() + LINK_LIFE_MS });
}

/**
 * Applies a subscription link. It can be used repeatedly: a second use changes nothing and reports that, and the link
 * still stops reports that were switched on again meanwhile.
 * @throws AppError `err.link.purpose` for a link that is forged, expired, or of an unknown person
 */
export async function followSubscriptionLink(
  deps: LinkDeps & { control: ControlDatabase; ids: IdSource },
  link: SealedLink,
  { only }: { only?: "unsubscribe" } = {},
): Promise<{ isSubscribed: boolean; wasAlready: boolean }> {
  const { payload } = await openLink(deps, { purpose: PURPOSE, schema: payloadSchema, link });
  const reader = await findReader(deps.control, payload.userId);
  if (!reader || (only === "unsubscribe" && payload.isSubscribed)) throw new AppError("err.link.purpose");
  const person = { userId: reader.userId, timeZone: reader.preference.timeZone };
  const { wasAlready } = await setSubscription(deps, person, { isSubscribed: payload.isSubscribed });
  return { isSubscribed: payload.isSubscribed, wasAlready };
}
