import { failedConstraint } from "#core/database/failed-constraint.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { prepareOrganisation } from "#core/organisations/index.ts";
import type { AccountsDeps } from "./deps.ts";
import type { Names } from "./password.schema.ts";
import { insertPerson } from "./people.store.ts";

/**
 * Creates a person whose e-mail address is already verified, and their unnamed organisation with its vault key, in one
 * batch. The person has no password, because they signed in through another service.
 * @throws AppError `err.email.taken`
 */
export async function createPerson(
  deps: Pick<AccountsDeps, "control" | "clock" | "ids" | "settings">,
  { email, name, familyName }: Names & { email: string },
): Promise<{ userId: string }> {
  const userId = deps.ids.next("user");
  const person = { id: userId, email, name, familyName, now: deps.clock.now() };
  await deps.control
    .batch([insertPerson(deps.control, person), ...(await prepareOrganisation(deps, { userId }))])
    .catch((cause: unknown) => {
      throw failedConstraint(cause) === "user.email" ? new AppError("err.email.taken", { cause }) : cause;
    });
  return { userId };
}
