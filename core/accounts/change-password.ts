import { recordAction } from "#core/audit/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Member } from "#core/organisations/index.ts";
import type { AccountsDeps } from "./deps.ts";
import { countOrRefuse, PASSWORD_CHECKS } from "./limits.ts";
import { type NewSession, rotateSession } from "./new-session.ts";
import type { ChangePassword } from "./password.schema.ts";
import { findCredentialById } from "./people.store.ts";
import { deleteReset } from "./recovery.store.ts";
import { announcePasswordChange, setPassword } from "./set-password.ts";

/**
 * Changes the password of a signed-in person who enters the old one. This session continues with a fresh token; all
 * others end. Attempts are counted separately from sign-in, so that failed sign-ins by a stranger cannot block a
 * change.
 * @throws AppError `err.password.absent`, `err.password.wrong`, `err.credentials.limit`
 */
export async function changePassword(
  deps: AccountsDeps,
  member: Member,
  { sessionId, oldPassword, newPassword }: ChangePassword & { sessionId: string },
): Promise<NewSession> {
  const { userId } = member;
  const person = await findCredentialById(deps.control, userId);
  if (!person?.passwordHash) throw new AppError("err.password.absent");
  const refund = await countOrRefuse(deps, PASSWORD_CHECKS, `change by ${userId}`);
  if (!(await deps.passwords.check(person.passwordHash, oldPassword)))
    throw new AppError("err.password.wrong");
  await refund();
  await setPassword(deps, { userId, password: newPassword });
  await deleteReset(deps.control, userId);
  const opened = await rotateSession(deps, { userId, sessionId });
  await announcePasswordChange(deps, person);
  await recordAction(deps, {
    organisationId: member.organisationId,
    userId,
    userName: member.name,
    action: "change-password",
  });
  return opened;
}
