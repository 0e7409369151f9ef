import { AppError } from "#core/kernel/app-error.ts";
import { createOrganisation } from "#core/organisations/index.ts";
import { openAuth } from "./auth.ts";
import type { AccountsDeps } from "./deps.ts";
import { hashPassword } from "./passwords.ts";
import { findCredentialByEmail } from "./people.store.ts";

/** Somebody to be. */
export type PersonOrder = {
  email: string;
  /** Given name. */
  name: string;
  familyName: string;
  /** Null for people who sign in elsewhere. */
  password: string | null;
  isEmailVerified: boolean;
  /** `created_at` as the sign-up said it. */
  statedCreatedAt?: string | null;
  isAutoConfirmed?: boolean;
  /** False for somebody who joins another's organisation; the caller makes the membership. */
  hasOwnOrganisation?: boolean;
};

/**
 * Makes a person, their password and, unless they join another's, their nameless organisation with its vault key.
 * These are steps; one that broke off is mended by the first sign-in.
 * @throws AppError `err.email.taken`
 */
export async function createPerson(
  deps: Pick<AccountsDeps, "control" | "clock" | "ids" | "settings">,
  order: PersonOrder,
): Promise<{ userId: string }> {
  const passwordHash = order.password === null ? null : await hashPassword(order.password);
  if (await findCredentialByEmail(deps.control, order.email)) throw new AppError("err.email.taken");
  const at = new Date(deps.clock.now());
  const times = { createdAt: at, updatedAt: at };
  const auth = await openAuth(deps);
  const { id: userId } = await auth
    .createUser(
      {
        ...times,
        email: order.email,
        name: order.name,
        familyName: order.familyName,
        emailVerified: order.isEmailVerified,
        statedCreatedAt: order.statedCreatedAt ?? null,
        isAutoConfirmed: order.isAutoConfirmed ?? false,
      },
      { method: "email-password" },
    )
    .catch(async (cause: unknown) => {
      const isTaken = await findCredentialByEmail(deps.control, order.email);
      throw isTaken ? new AppError("err.email.taken", { cause }) : cause;
    });
  if (passwordHash !== null) {
    await auth.linkAccount({
      ...times,
      userId,
      accountId: userId,
      providerId: "credential",
      password: passwordHash,
    });
  }
  if (order.hasOwnOrganisation !== false) await createOrganisation(deps, { userId });
  return { userId };
}
