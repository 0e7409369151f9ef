import * as z from "zod/mini";
import { callPlatform, isOffered } from "#app/api/call-platform.ts";
import type { SharedOperation } from "#connectors/contract/endpoints.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";

/** The calls about the account of a platform; they speak of no item kind. */
const callOf = (platform: string, does: SharedOperation) => ({
  platform,
  does,
  kind: descriptors.find(({ id }) => id === platform)?.itemKinds[0]?.id ?? "",
});

/** True where accounts can be told by name. */
export const canName = (platform: string) => isOffered(callOf(platform, "change-by-name"));
/** True where new items can be protected by themselves. */
export const canAutoAdd = (platform: string) => isOffered(callOf(platform, "set-auto-add"));

/** Connects the named account; answers the consent page where the platform asks first. */
export async function connectByName(platform: string, name: string, isAutoAdd: boolean) {
  const schema = z.object({ url: z.nullable(z.string()) });
  return (await callPlatform(callOf(platform, "connect-by-name"), { name, isAutoAdd }, { schema })).result;
}

const accountSchema = z.object({ username: z.string(), isConfirmed: z.boolean() });

/** Changes the account; the backups of the former one are deleted. */
export async function changeByName(platform: string, name: string) {
  return (await callPlatform(callOf(platform, "change-by-name"), { name }, { schema: accountSchema })).result;
}

/** Sets whether new items are protected by themselves. */
export async function setAutoAdd(platform: string, isAutoAdd: boolean): Promise<void> {
  await callPlatform(callOf(platform, "set-auto-add"), { isAutoAdd });
}

/** Has a code sent; answers where to, as far as that is told. */
export async function sendCode(platform: string): Promise<string> {
  const schema = z.object({ sentTo: z.string() });
  return (await callPlatform(callOf(platform, "send-account-code"), {}, { schema })).result.sentTo;
}

/** Confirms the account. */
export async function confirmCode(platform: string, code: string): Promise<void> {
  await callPlatform(callOf(platform, "confirm-account"), { code });
}
