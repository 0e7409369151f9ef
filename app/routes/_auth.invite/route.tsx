import { getInputProps } from "@conform-to/react";
import type { MetaFunction } from "@remix-run/cloudflare";
import { useNavigate, useSearchParams } from "@remix-run/react";
import { callApi } from "#app/api/call-api.ts";
import { Field } from "#app/components/field.tsx";
import { notify } from "#app/components/toasts.ts";
import { inviteCopy as copy } from "#app/copy/auth.ts";
import { AccountForm } from "#app/routes/_auth/account-form.tsx";
import { browserStores, endMarker } from "#app/session/marker.ts";
import { completeInvitation } from "./complete-invitation.ts";
import { type InviteForm, inviteFormSchema } from "./form.schema.ts";

export const meta: MetaFunction = () => [{ title: `${copy.title} · Holdfast` }];

/** The page behind an invitation link: the invited user chooses a password and enters their name. */
export default function Invite() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  async function setUp(form: InviteForm) {
    await completeInvitation(callApi, form);
    endMarker(browserStores());
    notify(copy.done);
    navigate("/auth/login", { replace: true });
  }
  return (
    <AccountForm
      id="invite"
      schema={inviteFormSchema}
      title={copy.title}
      lead={copy.lead}
      submit={copy.submit}
      known={{ email: search.get("email") ?? "", code: search.get("code") ?? "" }}
      onSend={setUp}
      more={({ code }) => (
        <Field
          {...getInputProps(code, { type: "text" })}
          key={code.key}
          label={copy.code}
          errors={code.errors}
          autoComplete="off"
          spellCheck={false}
          isLarge
        />
      )}
    />
  );
}
