import { failedConstraint } from "#core/database/failed-constraint.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { prepareOrganisation } from "#core/organisations/index.ts";
import type { AccountsDeps } from "./deps.ts";
import { hashPassword } from "./passwords.ts";
import { insertPerson } from "./people.store.ts";

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
};

/**
 * Makes a person, their password, and their nameless organisation with its vault key, in one batch.
 * @throws AppError `err.email.taken`
 */
export async function createPerson(
  deps: Pick<AccountsDeps, "control" | "clock" | "ids" | "settings">,
  { password, ...order }: PersonOrder,
): Promise<{ userId: string }> {
  const userId = deps.ids.next("user");
  const passwordHash = password === null ? null : await hashPassword(password);
  await deps.control
    .batch([
      ...insertPerson(deps.control, { ...order, userId, passwordHash, now: deps.clock.now() }),
      ...(await prepareOrganisation(deps, { userId })),
    ])
    .catch((cause: unknown) => {
      throw failedConstraint(cause) === "user.email" ? new AppError("err.email.taken", { cause }) : cause;
    });
  return { userId };
}
