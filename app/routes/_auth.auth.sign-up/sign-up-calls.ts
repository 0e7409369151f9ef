import type { CallApi } from "#app/api/call-api.ts";
import type { SignUpForm } from "./form.schema.ts";

/**
 * Creates the account, then saves the selected apps. A failure of the second call is ignored, because the account
 * exists (spec part 1 section 7).
 * @param facts.isEmbedded sent as `auto_confirm` (spec)
 * @param facts.now epoch ms, sent as `created_at`
 */
export async function signUp(
  call: CallApi,
  form: SignUpForm,
  facts: { isEmbedded: boolean; now: number },
): Promise<{ isConfirmed: boolean }> {
  const { result } = await call("POST identity/sign-up", {
    email: form.email,
    password: form.password,
    name: form.firstName,
    family_name: form.lastName,
    created_at: new Date(facts.now).toISOString(),
    auto_confirm: facts.isEmbedded,
  });
  const tags = { email: form.email, appsToProtect: form.apps };
  await call("POST send-active-campaign-tags", tags, { isQuiet: true }).catch(() => null);
  return { isConfirmed: result.is_confirmed };
}
