import { callApi } from "#app/api/call-api.ts";
import {
  type CalledAccount,
  callPlatform,
  isOffered,
  type PlatformOperation,
} from "#app/api/call-platform.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import type { Region } from "#core/kernel/platform-id.ts";

/** Builds the calls about a platform's accounts; they have no item kind. */
const callOf = <Does extends PlatformOperation>({ platform, connectionId }: CalledAccount, does: Does) => ({
  platform,
  connectionId,
  does,
  kind: descriptors.find(({ id }) => id === platform)?.itemKinds[0]?.id ?? "",
});
const platformCallOf = <Does extends PlatformOperation>(platform: string, does: Does) =>
  callOf({ platform, connectionId: null }, does);

/** True when the platform supports protecting new items automatically. */
export const canAutoAdd = (platform: string) => isOffered(platformCallOf(platform, "set-auto-add"));
/** True when one grant reaches several accounts. Otherwise every account needs its own consent. */
export const canName = (platform: string) => isOffered(platformCallOf(platform, "change-by-name"));

/**
 * Returns the URL of the platform's consent page (spec B-262). A given connection is renewed; otherwise the consenting
 * account is added.
 *
 * @param name Prevents connecting another account.
 * @param authMethod How access is granted, where the platform has several ways.
 */
export async function connectUrl(
  account: CalledAccount,
  { name, region, authMethod }: { name?: string; region?: Region | undefined; authMethod?: string } = {},
): Promise<string> {
  const input = {
    ...(name === undefined ? {} : { name }),
    ...(region === undefined ? {} : { region }),
    ...(authMethod === undefined ? {} : { authMethod }),
  };
  return (await callPlatform(callOf(account, "connect-by-consent"), input)).result.url;
}

/**
 * Connects the named account. Returns the consent page's URL if the platform asks for consent first, otherwise null.
 */
export async function connectByName(
  platform: string,
  name: string,
  { isAutoAdd, region }: { isAutoAdd: boolean; region?: Region },
): Promise<string | null> {
  const where = region === undefined ? {} : { region };
  if (!canName(platform)) return connectUrl({ platform, connectionId: null }, { name, ...where });
  const call = platformCallOf(platform, "connect-by-name");
  return (await callPlatform(call, { name, isAutoAdd, ...where })).result.url;
}

/** Returns the URL of the consent page where another consent takes the place of the account's (spec P-230). */
export async function changeConsentUrl(account: CalledAccount): Promise<string> {
  return (await callPlatform(callOf(account, "change-by-consent"), {})).result.url;
}

/** The result of a change: another account, or the URL of the consent page that must come first. */
type Changed = { url: string } | { id: string; isConfirmed: boolean };

/** Changes the account and deletes the backups of the previous one (spec P-226, B-263). */
export async function changeByName(account: CalledAccount, name: string): Promise<Changed> {
  if (!canName(account.platform)) {
    const call = callOf(account, "change-by-consent");
    return (await callPlatform(call, { name })).result;
  }
  return (await callPlatform(callOf(account, "change-by-name"), { name })).result;
}

/** Connects the chosen accounts of a consent and returns their ids. */
export async function chooseAccounts(
  platform: string,
  choiceId: string,
  externalIds: readonly string[],
): Promise<string[]> {
  const call = platformCallOf(platform, "choose-accounts");
  const { result } = await callPlatform(call, { choiceId, externalIds: [...externalIds] });
  return result.map(({ id }) => id);
}

/** Connects the account of this name that the latest consent has opened, and returns its id (spec P-372). */
export async function chooseAccountByName(platform: string, name: string): Promise<string> {
  return (await callPlatform(platformCallOf(platform, "choose-account-by-name"), { name })).result.id;
}

/** True when accounts of a consent are chosen by name. */
export const canChooseByName = (platform: string) =>
  isOffered(platformCallOf(platform, "choose-account-by-name"));

/** Removes the account and its backups. */
export async function removeAccount(account: CalledAccount & { connectionId: string }): Promise<void> {
  await callPlatform(callOf(account, "remove-account"), {});
}

/** Sets whether new items are protected automatically. */
export async function setAutoAdd(account: CalledAccount, isAutoAdd: boolean): Promise<void> {
  await callPlatform(callOf(account, "set-auto-add"), { isAutoAdd });
}

/** Sends a code and returns its masked destination. */
export async function sendCode(account: CalledAccount): Promise<string> {
  return (await callPlatform(callOf(account, "send-account-code"), {})).result.sentTo;
}

/** Confirms the account. */
export async function confirmCode(account: CalledAccount, code: string): Promise<void> {
  await callPlatform(callOf(account, "confirm-account"), { code });
}

/**
 * Saves the region of a platform. A connected account starts over there (spec B-194, B-264). Returns the account that
 * lives there now: a new connection if it was moved.
 */
export async function saveRegion(
  { platform, connectionId }: CalledAccount,
  region: Region,
): Promise<string | null> {
  const account = connectionId === null ? {} : { connection_id: connectionId };
  const { result } = await callApi("PATCH user/change-user-platform-s3-region", {
    platform,
    region,
    ...account,
  });
  return result.connection_id;
}
