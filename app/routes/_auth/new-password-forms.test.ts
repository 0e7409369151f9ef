import { beforeAll, expect, test } from "vitest";
import { changeFormSchema } from "#app/routes/_auth.auth.password-recovery/form.schema.ts";
import { signUpFormSchema } from "#app/routes/_auth.auth.sign-up/form.schema.ts";
import { inviteFormSchema } from "#app/routes/_auth.invite/form.schema.ts";
import { changePasswordSchema } from "#core/accounts/password.schema.ts";
import { provideWordLists } from "#core/accounts/password-strength.schema.ts";
import { makeWordLists } from "#workers/commands/word-lists.ts";

beforeAll(() => provideWordLists(async () => new Response(makeWordLists())));

const LONGEST = "Vq7$mRkT2z".repeat(5);
const LENGTH = "At least 10 characters, at most 50";

test.each([
  ["sign-up", signUpFormSchema.shape.password],
  ["recovery", changeFormSchema.shape.password],
  ["the setup of somebody invited", inviteFormSchema.shape.password],
  ["the change in the settings", changePasswordSchema.shape.newPassword],
] as const)("[A-313] [A-314] a password has 10 to 50 characters: %s", async (_form, schema) => {
  const told = async (password: string) =>
    (await schema.safeParseAsync(password)).error?.issues.map(({ message }) => message);
  for (const wrong of ["Vq7$mRkT2", `${LONGEST}x`]) expect(await told(wrong)).toContain(LENGTH);
  for (const right of ["Zqvorkm9!x", LONGEST]) expect((await told(right)) ?? []).not.toContain(LENGTH);
});
