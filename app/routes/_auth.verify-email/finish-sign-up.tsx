import { useNavigate } from "@remix-run/react";
import * as z from "zod/mini";
import { callApi } from "#app/api/call-api.ts";
import { verifyCopy as copy } from "#app/copy/auth.ts";
import { accountFields } from "#app/routes/_auth/account-form.schema.ts";
import { AccountForm } from "#app/routes/_auth/account-form.tsx";
import { CONFIRMED_PATH, type Link, type Waiting } from "./verify-calls.ts";

const schema = z.object(accountFields);

/** Shown when the link is opened in another browser than the sign-up: the user chooses the password here. */
export function FinishSignUp({ link, waiting }: { link: Link; waiting: Waiting }) {
  const navigate = useNavigate();
  async function finish({ firstName, lastName, password }: z.output<typeof schema>) {
    const body = { ...link, new_password: password, firstName, lastName };
    await callApi("POST identity/complete-sign-up", body);
    navigate(CONFIRMED_PATH, { replace: true });
  }
  return (
    <AccountForm
      id="finish-sign-up"
      schema={schema}
      title={copy.chooseTitle}
      lead={copy.chooseLead}
      submit={copy.finish}
      known={{ email: waiting.email, firstName: waiting.name, lastName: waiting.family_name }}
      onSend={finish}
    />
  );
}
