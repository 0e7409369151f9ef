import { getFormProps, getInputProps, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { Checkbox } from "@radix-ui/themes";
import type { ActionFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Form, Link, useActionData, useNavigation, useSearchParams } from "@remix-run/react";
import { useEffect, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { Field } from "#app/components/field.tsx";
import { PasswordField } from "#app/components/password-field.tsx";
import { notify } from "#app/components/toaster.tsx";
import { signInCopy as copy } from "#app/copy/auth.ts";
import { logIn } from "./actions.server.ts";
import { loginFormSchema } from "./form.schema.ts";
import { LoginFailure } from "./login-failure.tsx";

export const meta: MetaFunction = () => [{ title: "Sign in · Holdfast" }];

export const action = ({ context, request }: ActionFunctionArgs) => logIn(context, request);

export default function Login() {
  const answer = useActionData<typeof action>();
  const [search] = useSearchParams();
  const next = search.get("next");
  const isBusy = useNavigation().state !== "idle";
  const [form, fields] = useForm({
    id: "login",
    lastResult: isBusy ? null : answer?.form,
    onValidate: ({ formData }) => parseWithZod(formData, { schema: loginFormSchema }),
    shouldValidate: "onBlur",
    shouldRevalidate: "onInput",
  });
  const isConfirmed = search.get("isConfirmed") === "true";
  useEffect(() => {
    if (isConfirmed) notify(copy.confirmed);
  }, [isConfirmed]);
  const [closed, setClosed] = useState<typeof answer>();
  const failure = answer?.refusal && answer !== closed && !isBusy ? answer.refusal : null;
  return (
    <>
      <Form method="post" className="auth__panel" {...getFormProps(form)}>
        <h1>{copy.title}</h1>
        {next && <Callout>{copy.returning}</Callout>}
        {next && <input type="hidden" name="next" value={next} />}
        <Field
          {...getInputProps(fields.email, { type: "email" })}
          key={fields.email.key}
          label={copy.email}
          errors={fields.email.errors}
          autoComplete="username"
          isLarge
        />
        <PasswordField
          {...getInputProps(fields.password, { type: "password" })}
          key={fields.password.key}
          label={copy.password}
          errors={fields.password.errors}
          autoComplete="current-password"
          isLarge
        />
        <span className="row">
          <Checkbox name="rememberMe" id="remember" />
          <label htmlFor="remember">{copy.remember}</label>
        </span>
        <Button type="submit" variant="solid" size="l" isWide isBusy={isBusy}>
          {copy.submit}
        </Button>
      </Form>
      <p className="auth__after">
        {copy.isNew}{" "}
        <Link className="link" to="/auth/sign-up">
          {copy.signUp}
        </Link>{" "}
        {copy.and}{" "}
        <Link className="link" to="/auth/sign-up">
          {copy.trial}
        </Link>
        .
      </p>
      <LoginFailure text={failure} onClose={() => setClosed(answer)} />
    </>
  );
}
