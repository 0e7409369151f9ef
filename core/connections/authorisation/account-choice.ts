import { z } from "zod";
import type { AccountCandidate, Grant, GrantTokens } from "#connectors/contract/platform-connector.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { invariant } from "#core/kernel/invariant.ts";
import { storedJson } from "#core/kernel/stored-json.ts";
import { getOrganisationKey, type Member } from "#core/organisations/index.ts";
import type { MailServices, RightServices, SessionServices, Uses } from "#core/services.ts";
import { type OrganisationKey, openSecret, sealSecret } from "#core/vault/index.ts";
import { isSameName } from "../accounts/reach-account.ts";
import { type ConnectionRow, listConnectionRows } from "../connection.store.ts";
import { findCredential, listSharing } from "../credential.store.ts";
import { CANDIDATES_AT_ONCE, CHOICE_MS } from "../limits.ts";
import { connectorOf, methodOf } from "../open-session.ts";
import { translateFailure } from "../translate-failure.ts";
import type { ChoiceView, ConnectionView } from "../views.ts";
import {
  type AuthorisationRow,
  type ChoiceKey,
  findChoice,
  findNewestChoice,
  giveChoiceBack,
  keepChoice,
  takeChoice,
} from "./authorisation.store.ts";
import { connectGrant, namedRow } from "./connect-grant.ts";
import { requireStanding } from "./require-standing.ts";

/** Accounts that one authorisation can reach, and its tokens. */
type Choice = { candidates: readonly AccountCandidate[]; tokens: GrantTokens };

/** The result of an authorisation: connected accounts, or a choice that the person must make. */
export type Completed =
  | { kind: "connected"; connections: ConnectionView[] }
  | { kind: "choice"; choiceId: string };

const PURPOSE = "account-choice";

const stored = storedJson(
  1,
  z.strictObject({
    candidates: z.array(
      z.strictObject({ externalId: z.string(), name: z.string(), note: z.string().nullable() }),
    ),
    tokens: z.strictObject({
      accessToken: z.string(),
      accessTokenExpiresAt: z.number().nullable(),
      refreshToken: z.string().nullable(),
    }),
  }),
);

/**
 * Connects the accounts that need no choice: the only account, the named one, or those being renewed. Otherwise the
 * result is stored sealed for 15 minutes, until the person has chosen.
 *
 * @throws AppError `err.account.none`, `err.connection.other`, and as `connectGrant`
 */
export async function settleChoice(
  s: SessionServices & MailServices & Uses<"memory" | "ledger" | "live">,
  member: Member,
  begun: AuthorisationRow,
  choice: Choice,
): Promise<Completed> {
  const { candidates, tokens } = choice;
  if (candidates.length === 0) throw new AppError("err.account.none");
  const settled = await settledIds(s, begun, candidates);
  if (settled !== null) {
    return {
      kind: "connected",
      connections: await connectChosen(s, member, begun, { ...choice, ids: settled }),
    };
  }
  const key = await getOrganisationKey(s, begun.organisationId);
  const purpose = { purpose: PURPOSE, ownerId: begun.stateHash };
  await keepChoice(s.control, begun, {
    sealedChoice: await sealSecret(
      key,
      purpose,
      JSON.stringify(stored.write({ candidates: [...candidates], tokens })),
    ),
    expiresAt: s.clock.now() + CHOICE_MS,
  });
  return { kind: "choice", choiceId: begun.stateHash };
}

/** The accounts that a person may choose from. @throws AppError `err.connection.state` when the choice has expired */
export async function listCandidates(
  s: RightServices & Uses<"settings">,
  member: Member,
  { platform, choiceId }: { platform: string; choiceId: string },
): Promise<ChoiceView> {
  const [connected, row, key] = await Promise.all([
    requireStanding(s, member, platform),
    findChoice(s.control, keyOf(s, member, { platform, choiceId })),
    getOrganisationKey(s, member.organisationId),
  ]);
  if (!row) throw new AppError("err.connection.state");
  const { candidates } = await openChoice(row, key);
  const known = new Set(connected.map(({ externalId }) => externalId));
  return {
    candidates: candidates.map((each) => ({ ...each, isConnected: known.has(each.externalId) })),
    isOne: row.replacesId !== null,
  };
}

/**
 * Makes the choice: each account becomes a connection, and all share the tokens. A choice can be made only once; if the
 * platform fails, it stays open.
 *
 * @throws AppError `err.connection.state`, `err.request.invalid`, `err.platform.unavailable`, and as `connectGrant`
 */
export async function chooseAccounts(
  s: SessionServices & MailServices & Uses<"memory" | "ledger" | "live">,
  member: Member,
  { platform, choiceId, externalIds }: { platform: string; choiceId: string; externalIds: readonly string[] },
): Promise<ConnectionView[]> {
  await requireStanding(s, member, platform);
  const key = keyOf(s, member, { platform, choiceId });
  const row = await takeChoice(s.control, key);
  if (!row) throw new AppError("err.connection.state");
  const choice = await openChoice(row, await getOrganisationKey(s, row.organisationId));
  const ids = [...new Set(externalIds)];
  const isTooMany = ids.length > (row.replacesId === null ? CANDIDATES_AT_ONCE : 1);
  const isKnown = ids.every((id) => choice.candidates.some(({ externalId }) => externalId === id));
  try {
    if (ids.length === 0 || isTooMany || !isKnown) {
      throw new AppError("err.request.invalid", { message: "Choose from the accounts that are offered." });
    }
    return await connectChosen(s, member, row, { ...choice, ids });
  } catch (cause) {
    await giveChoiceBack(s.control, key);
    throw cause;
  }
}

/**
 * Makes the person's newest choice by the account's name, for callers that know only names (spec P-372).
 *
 * @throws AppError `err.connection.state` without a pending choice, `err.request.invalid` when no offered account or
 *   several have the name, and as `chooseAccounts`
 */
export async function chooseAccountByName(
  s: SessionServices & MailServices & RightServices & Uses<"memory" | "ledger" | "live">,
  member: Member,
  { platform, name }: { platform: string; name: string },
): Promise<ConnectionView> {
  await requireStanding(s, member, platform);
  const choiceId = await findChoiceId(s, member, platform);
  if (choiceId === null) throw new AppError("err.connection.state");
  const { candidates } = await listCandidates(s, member, { platform, choiceId });
  const [named, ...others] = candidates.filter((candidate) => isSameName(candidate.name, name));
  if (named === undefined || others.length > 0) {
    const message =
      named === undefined
        ? "Choose from the accounts that are offered."
        : "Several accounts have this name. Choose in the app connector.";
    throw new AppError("err.request.invalid", { message });
  }
  const [chosen] = await chooseAccounts(s, member, { platform, choiceId, externalIds: [named.externalId] });
  invariant(chosen !== undefined, "one chosen account is one connection");
  return chosen;
}

/** The id of the person's newest pending choice at a platform; null = none. */
export async function findChoiceId(
  s: Uses<"control" | "clock">,
  { organisationId, userId }: Member,
  platform: string,
): Promise<string | null> {
  const now = s.clock.now();
  // A choice is kept for `CHOICE_MS` after its consent, which ends before the authorisation expires.
  const row = await findNewestChoice(s.control, { organisationId, userId, platform, now }, now - CHOICE_MS);
  return row?.stateHash ?? null;
}

/** Reads every grant before storing the first, so that a failing platform leaves nothing behind. */
async function connectChosen(
  s: SessionServices & MailServices & Uses<"memory" | "ledger" | "live">,
  member: Member,
  begun: AuthorisationRow,
  { tokens, ids }: Choice & { ids: readonly string[] },
): Promise<ConnectionView[]> {
  const { authoriser } = connectorOf(s, begun.platform);
  const io = { config: s.connectorConfig, fetch: s.fetch, clock: s.clock };
  const grants: Grant[] = [];
  for (const id of ids) {
    const grant = await authoriser.choose?.(io, tokens, id).catch((cause: unknown) => {
      throw translateFailure(cause);
    });
    if (!grant) throw new AppError("err.platform.unavailable");
    grants.push(grant);
  }
  const rows = await listConnectionRows(s.control, begun.organisationId, begun.platform);
  // A timestamp is higher than any renewal count that one of them may have reached.
  const shared =
    grants.length > 1 ? { grantId: s.ids.next("authorisation"), tokenVersion: s.clock.now() } : null;
  const connections: ConnectionView[] = [];
  for (const grant of grants) {
    // When several connections are renewed together, each grant renews its own connection.
    const same = rows.find(({ externalId }) => externalId === grant.account.externalId);
    const renewsId = begun.renewsId === null ? null : (same?.id ?? begun.renewsId);
    const order = { ...begun, accountName: null, renewsId };
    connections.push(await connectGrant(s, member, order, grant, shared));
  }
  return connections;
}

/** The accounts that need no choice; null = the person must choose. @throws AppError `err.connection.other` */
async function settledIds(
  s: Uses<"control" | "connectors">,
  begun: AuthorisationRow,
  candidates: readonly AccountCandidate[],
): Promise<string[] | null> {
  const rows = await listConnectionRows(s.control, begun.organisationId, begun.platform);
  if (begun.renewsId !== null) return renewedIds(s, rows, begun, candidates);
  if (begun.accountName !== null) {
    const { accountName } = begun;
    const named = candidates.find(({ name }) => isSameName(name, accountName));
    if (!named) throw new AppError("err.connection.other");
    return [named.externalId];
  }
  const [only, ...others] = candidates;
  return only && others.length === 0 ? [only.externalId] : null;
}

/** A renewal covers the named connection and those that share its tokens, if the authorisation reaches them. */
async function renewedIds(
  s: Uses<"control" | "connectors">,
  rows: readonly ConnectionRow[],
  begun: AuthorisationRow,
  candidates: readonly AccountCandidate[],
): Promise<string[]> {
  const meant = namedRow(rows, begun);
  const opened = new Set(candidates.map(({ externalId }) => externalId));
  if (!meant || !opened.has(meant.externalId)) throw new AppError("err.connection.other");
  const { organisationId, id } = meant;
  const held = await findCredential(s.control, { organisationId, id, authMethod: methodOf(s, begun) });
  const sharing = held?.grantId ? await listSharing(s.control, held) : [meant];
  return sharing.map(({ externalId }) => externalId).filter((externalId) => opened.has(externalId));
}

function keyOf(
  s: Uses<"clock">,
  { organisationId, userId }: Member,
  { platform, choiceId }: { platform: string; choiceId: string },
): ChoiceKey {
  return { choiceId, organisationId, userId, platform, now: s.clock.now() };
}

async function openChoice(
  { stateHash, sealedChoice }: AuthorisationRow,
  key: OrganisationKey,
): Promise<Choice> {
  const text = await openSecret(key, { purpose: PURPOSE, ownerId: stateHash }, sealedChoice ?? "");
  const read = stored.read(JSON.parse(text));
  // Written by another release: the person must consent again.
  if (read.kind !== "value") throw new AppError("err.connection.state");
  return read.value;
}
