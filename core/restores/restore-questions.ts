import type { RestoreTarget } from "#connectors/contract/platform-connector.ts";
import type { RestoreAnswers, RestoreQuestion } from "#connectors/contract/restore-question.ts";
import { readable } from "#core/browsing/index.ts";
import { translateFailure } from "#core/connections/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Member } from "#core/organisations/index.ts";
import type { AccessServices, SessionServices, VaultServices } from "#core/services.ts";
import {
  openRestorable,
  openRestoreSession,
  type Restorable,
  type RestoredVersion,
} from "./open-restorable.ts";
import { answersOfMatches, completeAnswers, faultOf, type NamedMatch } from "./restore-answers.schema.ts";
import { likelyTarget, type TargetWish } from "./restore-target.ts";

/**
 * Lists what the user must decide before a restore of this version, or of a part of it, into this target. Requires the
 * right to restore. May call the platform.
 *
 * @throws AppError as `requestRestores`
 */
export async function listRestoreQuestions(
  s: AccessServices & SessionServices & VaultServices,
  member: Member,
  order: RestoredVersion & Pick<TargetWish, "into"> & { placeId: string | null },
): Promise<readonly RestoreQuestion[]> {
  const open = await openRestorable(s, member, order);
  if (!open.connector.restoreQuestions) return [];
  const target = await likelyTarget(s, open, order);
  return await askConnector(s, open, { target, hasCounts: true });
}

/**
 * Returns the answers of an order: complete and checked if the platform needs them (`needsAnswers`), otherwise as they
 * were chosen, so that a request for fifty restores opens no version.
 *
 * @throws AppError `err.request.invalid` if a required answer is missing or a text is too long, and as
 *   `listRestoreQuestions`
 */
export async function requireAnswers(
  s: SessionServices,
  open: Restorable,
  {
    target,
    chosen,
    matches,
  }: { target: RestoreTarget; chosen: RestoreAnswers; matches?: readonly NamedMatch[] | undefined },
): Promise<RestoreAnswers> {
  if (!open.connector.descriptor.supports.restores.needsAnswers) return chosen;
  const questions = await askConnector(s, open, { target, hasCounts: false });
  const named = matches === undefined ? {} : answersOfMatches(questions, matches);
  const answers = completeAnswers(questions, { ...chosen, ...named });
  for (const question of questions) {
    const fault = faultOf(question, answers);
    if (fault === null) continue;
    const message =
      fault.kind === "open"
        ? `${question.label}: ${fault.count} still to be chosen.`
        : `${question.label}: at most ${fault.most} characters.`;
    throw new AppError("err.request.invalid", { message, details: { field: question.name } });
  }
  return answers;
}

async function askConnector(
  s: SessionServices,
  open: Restorable,
  wish: { target: RestoreTarget; hasCounts: boolean },
): Promise<readonly RestoreQuestion[]> {
  const { connector, part, view } = open;
  if (!connector.restoreQuestions) return [];
  const ask = connector.restoreQuestions.bind(connector);
  const session = openRestoreSession(s, open);
  const order = { ...wish, part: part?.path ?? null };
  return await readable(async () => await ask(session, await view(), order)).catch((cause: unknown) => {
    throw translateFailure(cause);
  });
}
