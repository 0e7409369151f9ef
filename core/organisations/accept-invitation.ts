import { auditStatement } from "#core/audit/index.ts";
import { failedConstraint } from "#core/database/failed-constraint.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Clock } from "#core/kernel/clock.ts";
import type { IdSource } from "#core/kernel/ids.ts";
import { insertInvitee, invitationStands, takeAttempt } from "./invitation.store.ts";
import { readInvitationCode } from "./invitation-code.ts";

/** Dependencies of joining. The identity area provides the password hash. */
export type AcceptDeps = {
  control: ControlDatabase;
  clock: Clock;
  ids: IdSource;
  passwords: { hash: (password: string) => Promise<string> };
};

/**
 * Sets up an invited person in one batch: account with password, confirmed e-mail address, and membership of the
 * inviter's organisation. The person gets no organisation of their own. Code, address and expiry are checked before the
 * password is hashed. All failures give the same error. Password and names must have been validated by their schemas.
 * @throws AppError `err.invitation.invalid`
 */
export async function acceptInvitation(
  deps: AcceptDeps,
  input: { email: string; code: string; password: string; name: string; familyName: string },
): Promise<{ userId: string; organisationId: string }> {
  const asked = await readInvitationCode(input.code);
  const found = asked && (await takeAttempt(deps.control, { id: asked.id, now: deps.clock.now() }));
  if (!found || found.codeHash !== asked.codeHash || found.email !== input.email) throw refusal();

  const { person, end } = insertInvitee(deps.control, {
    invitationId: found.id,
    memberId: deps.ids.next("member"),
    name: input.name,
    familyName: input.familyName,
    passwordHash: await deps.passwords.hash(input.password),
    now: deps.clock.now(),
  });
  const { organisationId } = found;
  const entry = {
    organisationId,
    userId: found.id,
    userName: `${input.name} ${input.familyName}`.trim(),
    action: "accept-invitation",
    subject: found.email,
  };
  const [, , , , ended] = await deps.control
    .batch([...person, auditStatement(deps, entry, invitationStands(found.id)), end])
    .catch((cause: unknown) => {
      throw failedConstraint(cause) === "user.email" ? refusal(cause) : cause;
    });
  if (ended.length === 0) throw refusal();
  return { userId: found.id, organisationId };
}

function refusal(cause?: unknown): AppError {
  return new AppError("err.invitation.invalid", { cause });
}
