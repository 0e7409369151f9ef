import { queueMail } from "#core/mail/index.ts";
import type { AccountsDeps } from "./deps.ts";
import type { NewPassword } from "./password.schema.ts";
import { type Credential, savePassword } from "./people.store.ts";

/** Sets a person's password, whether or not they had one. */
export async function setPassword(
  deps: Pick<AccountsDeps, "control" | "clock" | "passwords">,
  { userId, password }: { userId: string; password: NewPassword },
): Promise<void> {
  const passwordHash = await deps.passwords.hash(password);
  await savePassword(deps.control, { userId, passwordHash, now: deps.clock.now() });
}

/** Notifies a person by e-mail that their password was changed. */
export async function announcePasswordChange(
  deps: Pick<AccountsDeps, "control" | "clock" | "ids" | "queue" | "settings">,
  person: Credential,
): Promise<void> {
  const changedAt = deps.clock.now();
  const { statement, job } = await queueMail(deps, {
    occasion: `password-changed:${person.userId}:${changedAt}`,
    organisationId: person.organisationId,
    recipient: person.email,
    message: "password-changed",
    data: {
      changedAt,
      timeZone: person.timeZone ?? "UTC",
      recoverUrl: `${deps.settings.PUBLIC_URL}/auth/password-recovery`,
    },
  });
  await statement;
  await deps.queue.send([job]);
}
