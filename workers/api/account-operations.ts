import { z } from "zod";
import { REGIONS } from "#core/kernel/platform-id.ts";
import type { Uses } from "#core/services.ts";
import { connectRedirectUri } from "./connect-redirect-uri.ts";
import type { CoreOperations } from "./operations.ts";
import { ASKS_PLATFORM, operation } from "./platform-operation.ts";
import type { RowAnswers } from "./wire-answers.ts";
import { accountField, flagField, wireId, wireText, wireToken } from "./wire-fields.ts";
import { connectionRow } from "./wire-rows.ts";

const connectionId = accountField;
/** Without it the account lives in the region that was saved for the platform. */
const region = z.enum(REGIONS).optional();
/** A length limit only; the platform validates the name. */
const accountName = wireText(100);
/**
 * What is known of the account before consent: `name` prevents connecting another account, and `connectionId` renews or
 * changes a connection.
 */
const consent = z.strictObject({
  connectionId,
  region,
  name: accountName.optional(),
  /** How access is granted, where a platform has several ways. */
  authMethod: wireText(50).optional(),
});

/** Id of a choice from the callback's URL. */
const choiceId = wireText(100).min(1);

const consentAnswer = z.object({ url: z.string() });
const RIGHTS = ["err.role.forbidden", "err.plan.required"] as const;

/** Connecting, changing and removing the accounts of a platform (spec part 2 section 7). */
export function accountOperations(core: CoreOperations, rows: RowAnswers) {
  return {
    ...connectOperations(core, rows),
    ...choiceOperations(core, rows),
    ...keepOperations(core, rows),
    ...confirmOperations(core, rows),
  };
}

function connectOperations(core: CoreOperations, rows: RowAnswers) {
  return {
    "list-connections": operation({
      summary: "Connected accounts",
      input: z.strictObject({}),
      result: z.array(rows.account),
      refuses: [],
      isStateChanging: false,
      handle: async (s, m, { platform }) => ({
        result: (await core.listConnections(s, m, { platform })).map(connectionRow),
      }),
    }),
    "connect-by-consent": operation({
      summary:
        "Begin connecting an account on the platform's consent page; a named connection is renewed, or with change=true changed",
      input: consent.extend({ change: flagField.default(false) }),
      result: consentAnswer,
      refuses: [...RIGHTS, "err.connection.missing"],
      isStateChanging: true,
      handle: async (s, m, { platform }, { change, ...input }) => ({
        result: await core.beginAuthorisation(s, m, orderOf(s, platform, input, change)),
      }),
    }),
    "change-by-consent": operation({
      summary: "Begin changing the account on the platform's consent page; its backups are deleted then",
      input: consent,
      result: consentAnswer,
      refuses: [...RIGHTS, "err.connection.missing"],
      isStateChanging: true,
      handle: async (s, m, { platform }, input) => ({
        result: await core.beginAuthorisation(s, m, orderOf(s, platform, input, true)),
      }),
    }),
    "connect-by-name": operation({
      summary: "Connect the account that is named; answers the consent page where the platform asks first",
      input: z.strictObject({ name: accountName, isAutoAdd: flagField.default(false), region }),
      result: z.object({ account: rows.account.nullable(), url: z.string().nullable() }),
      refuses: [...RIGHTS, ...ASKS_PLATFORM, "err.connection.missing"],
      isStateChanging: true,
      handle: async (s, m, { platform }, { region: wanted, ...input }) => {
        const order = { platform, redirectUri: redirectUriOf(s, platform), ...input };
        const { account, url } = await core.connectByName(s, m, {
          ...order,
          ...(wanted && { region: wanted }),
        });
        return { result: { account: account && connectionRow(account), url } };
      },
    }),
    "change-by-name": operation({
      summary: "Change the account; all backups of the former one are deleted",
      input: z.strictObject({ connectionId, name: accountName }),
      result: rows.account,
      refuses: [
        ...RIGHTS,
        ...ASKS_PLATFORM,
        "err.account.missing",
        "err.app.delay",
        "err.connection.exists",
        "err.connection.missing",
        "err.connection.other",
      ],
      isStateChanging: true,
      handle: async (s, m, { platform }, input) => ({
        result: connectionRow(await core.changeAccountByName(s, m, { platform, ...input })),
      }),
    }),
  };
}

function choiceOperations(core: CoreOperations, rows: RowAnswers) {
  return {
    "list-account-candidates": operation({
      summary: "Accounts that the consent has opened, for a quarter of an hour",
      input: z.strictObject({ choiceId }),
      result: z.object({
        candidates: z.array(
          z.object({
            externalId: z.string(),
            name: z.string(),
            note: z.string().nullable(),
            isConnected: z.boolean(),
          }),
        ),
        isOne: z.boolean(),
      }),
      refuses: [...RIGHTS, "err.connection.state"],
      isStateChanging: false,
      handle: async (s, m, { platform }, input) => ({
        result: await core.listCandidates(s, m, { platform, ...input }),
      }),
    }),
    "choose-accounts": operation({
      summary: "Connect accounts that the consent has opened",
      input: z.strictObject({ choiceId, externalIds: z.array(wireId).min(1).max(100) }),
      result: z.array(rows.account),
      refuses: [
        ...RIGHTS,
        ...ASKS_PLATFORM,
        "err.connection.state",
        "err.connection.exists",
        "err.connection.missing",
        "err.connection.other",
      ],
      isStateChanging: true,
      handle: async (s, m, { platform }, input) => ({
        result: (await core.chooseAccounts(s, m, { platform, ...input })).map(connectionRow),
      }),
    }),
    "choose-account-by-name": operation({
      summary: "Connect the account of this name that the latest consent has opened",
      input: z.strictObject({ name: accountName.min(1) }),
      result: rows.account,
      refuses: [
        ...RIGHTS,
        ...ASKS_PLATFORM,
        "err.connection.state",
        "err.connection.exists",
        "err.connection.missing",
        "err.connection.other",
      ],
      isStateChanging: true,
      handle: async (s, m, { platform }, input) => ({
        result: connectionRow(await core.chooseAccountByName(s, m, { platform, ...input })),
      }),
    }),
  };
}

function keepOperations(core: CoreOperations, rows: RowAnswers) {
  return {
    "remove-account": operation({
      summary: "Take a connected account out; all its backups are deleted, and the other accounts stay",
      input: z.strictObject({ connectionId: wireId }),
      result: z.object({ removed: z.string() }),
      refuses: [...RIGHTS, "err.connection.missing"],
      isStateChanging: true,
      handle: async (s, m, { platform }, input) => ({
        result: await core.removeAccount(s, m, { platform, ...input }),
      }),
    }),
    "replace-token": operation({
      summary: "Replace the access token of the connected account",
      input: z.strictObject({ connectionId, accessToken: wireToken(500) }),
      result: rows.account,
      refuses: [
        ...RIGHTS,
        ...ASKS_PLATFORM,
        "err.account.token",
        "err.connection.missing",
        "err.connection.other",
      ],
      isStateChanging: true,
      handle: async (s, m, { platform }, input) => ({
        result: connectionRow(await core.replaceToken(s, m, { platform, ...input })),
      }),
    }),
    "set-auto-add": operation({
      summary: "Protect new items by themselves, or not",
      input: z.strictObject({ connectionId, isAutoAdd: flagField }),
      result: rows.account,
      refuses: [...RIGHTS, ...ASKS_PLATFORM, "err.connection.missing", "err.connection.unconfirmed"],
      isStateChanging: true,
      handle: async (s, m, { platform }, input) => ({
        result: connectionRow(await core.setAutoAdd(s, m, { platform, ...input })),
      }),
    }),
  };
}

function confirmOperations(core: CoreOperations, rows: RowAnswers) {
  return {
    "send-account-code": operation({
      summary: "Send the code that confirms the account",
      input: z.strictObject({ connectionId }),
      result: z.object({ sentTo: z.string() }),
      refuses: [
        ...RIGHTS,
        ...ASKS_PLATFORM,
        "err.account.confirmed",
        "err.app.delay",
        "err.attempts.limit",
        "err.connection.missing",
      ],
      isStateChanging: true,
      handle: async (s, m, { platform }, input) => ({
        result: await core.sendAccountCode(s, m, { platform, ...input }),
      }),
    }),
    "confirm-account": operation({
      summary: "Confirm the account with the code of the e-mail",
      input: z.strictObject({
        connectionId,
        code: z.union([wireText(20).min(1), z.number().int().transform(String)]),
      }),
      result: rows.account,
      refuses: [
        ...RIGHTS,
        ...ASKS_PLATFORM,
        "err.account.code",
        "err.account.confirmed",
        "err.app.delay",
        "err.connection.missing",
      ],
      isStateChanging: true,
      handle: async (s, m, { platform }, input) => ({
        result: connectionRow(await core.confirmAccount(s, m, { platform, ...input })),
      }),
    }),
  };
}

function orderOf(
  s: Uses<"settings">,
  platform: string,
  { connectionId, region: wanted, name, authMethod }: z.output<typeof consent>,
  isChange: boolean,
) {
  const redirectUri = redirectUriOf(s, platform);
  return {
    platform,
    connectionId,
    redirectUri,
    isChange,
    ...(wanted && { region: wanted }),
    ...(name === undefined ? {} : { accountName: name }),
    ...(authMethod === undefined ? {} : { authMethod }),
  };
}

function redirectUriOf({ settings }: Uses<"settings">, platform: string): string {
  return connectRedirectUri(settings.PUBLIC_URL, platform);
}
