import type { CallApi } from "#app/api/call-api.ts";
import type { InviteForm } from "./form.schema.ts";

/**
 * Completes the invitation with a password and names, and ends any session of this browser. The new user signs in with
 * the new password (spec ).
 */
export async function completeInvitation(call: CallApi, form: InviteForm): Promise<void> {
  await call("POST identity/complete-invitation", {
    email: form.email,
    confirmation_code: form.code,
    new_password: form.password,
    firstName: form.firstName,
    lastName: form.lastName,
  });
  await call("POST identity/sign-out", {}).catch(() => null);
}
