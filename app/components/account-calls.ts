import * as z from "zod/mini";
import { callApi } from "#app/api/call-api.ts";
import { callPlatform, isOffered } from "#app/api/call-platform.ts";
import type { SharedOperation } from "#connectors/contract/endpoints.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import type { Region } from "#core/kernel/platform-id.ts";

/** Calls about a platform's account. They have no item kind. */
const callOf = (platform: string, does: SharedOperation) => ({
  platform,
  does,
  kind: descriptors.find(({ id }) => id === platform)?.itemKinds[0]?.id ?? "",
});

/** True when the platform can protect new items automatically. */
export const canAutoAdd = (platform: string) => isOffered(callOf(platform, "set-auto-add"));
/** True when the same grant reaches other accounts by name. Otherwise every account needs its own consent. */
export const canName = (platform: string) => isOffered(callOf(platform, "change-by-name"));

const consentSchema = z.object({ url: z.string() });

/** URL of the platform's consent page (spec B-262). `name` prevents the user from connecting a different account. */
export async function connectUrl(platform: string, name?: string): Promise<string> {
  const call = callOf(platform, "connect-by-consent");
  return (await callPlatform(call, name === undefined ? {} : { name }, { schema: consentSchema })).result.url;
}

/**
 * Connects the named account. Returns the consent page's URL if the platform asks for consent first, otherwise null.
 */
export async function connectByName(
  platform: string,
  name: string,
  isAutoAdd: boolean,
): Promise<string | null> {
  if (!canName(platform)) return connectUrl(platform, name);
  const schema = z.object({ url: z.nullable(z.string()) });
  return (await callPlatform(callOf(platform, "connect-by-name"), { name, isAutoAdd }, { schema })).result
    .url;
}

/** The result of a change: another account, or the URL of the consent page that must come first. */
type Changed = { url: string } | { isConfirmed: boolean };

/** Changes the account. The backups of the previous account are deleted (spec P-226, B-263). */
export async function changeByName(platform: string, name: string): Promise<Changed> {
  if (!canName(platform)) {
    const call = callOf(platform, "change-by-consent");
    return (await callPlatform(call, { name }, { schema: consentSchema })).result;
  }
  const schema = z.object({ isConfirmed: z.boolean() });
  return (await callPlatform(callOf(platform, "change-by-name"), { name }, { schema })).result;
}

/** Sets whether new items are protected automatically. */
export async function setAutoAdd(platform: string, isAutoAdd: boolean): Promise<void> {
  await callPlatform(callOf(platform, "set-auto-add"), { isAutoAdd });
}

/** Sends a code and returns the masked address it was sent to. */
export async function sendCode(platform: string): Promise<string> {
  const schema = z.object({ sentTo: z.string() });
  return (await callPlatform(callOf(platform, "send-account-code"), {}, { schema })).result.sentTo;
}

/** Confirms the account. */
export async function confirmCode(platform: string, code: string): Promise<void> {
  await callPlatform(callOf(platform, "confirm-account"), { code });
}

/** Saves the region of a platform. A connected account starts over there (spec B-194, B-264). */
export async function saveRegion(platform: string, region: Region): Promise<void> {
  await callApi("user/change-user-platform-s3-region", { method: "PATCH", body: { platform, region } });
}
