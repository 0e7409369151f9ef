import { getFormProps, getInputProps, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Form, Link, useActionData, useNavigation } from "@remix-run/react";
import { type FormEvent, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { Field } from "#app/components/field.tsx";
import { PasswordField } from "#app/components/password-field.tsx";
import { signUpCopy as copy } from "#app/copy/auth.ts";
import { createAccount } from "./actions.server.ts";
import { signUpFormSchema } from "./form.schema.ts";
import { PasswordRules } from "./password-rules.tsx";

export const meta: MetaFunction = () => [{ title: "Sign up · Holdfast" }];

export const action = ({ context, request }: ActionFunctionArgs) => createAccount(context, request);

export default function SignUp() {
  const answer = useActionData<typeof action>();
  const isBusy = useNavigation().state !== "idle";
  const [password, setPassword] = useState("");
  const [isValid, setIsValid] = useState(false);
  const [form, fields] = useForm({
    id: "sign-up",
    lastResult: isBusy ? null : answer?.form,
    onValidate: ({ formData }) => parseWithZod(formData, { schema: signUpFormSchema }),
    shouldValidate: "onBlur",
    shouldRevalidate: "onInput",
  });
  function look(event: FormEvent<HTMLFormElement>) {
    const typed = Object.fromEntries(new FormData(event.currentTarget));
    setPassword(String(typed.password ?? ""));
    setIsValid(signUpFormSchema.safeParse(typed).success);
  }
  return (
    <>
      <Form method="post" className="auth__panel" {...getFormProps(form)} onInput={look}>
        <div>
          <h1>{copy.title}</h1>
          <p className="soft">{copy.lead}</p>
        </div>
        {answer?.refusal && !isBusy && <Callout tone="bad">{answer.refusal}</Callout>}
        <Field
          {...getInputProps(fields.firstName, { type: "text" })}
          key={fields.firstName.key}
          label={copy.firstName}
          errors={fields.firstName.errors}
          autoComplete="given-name"
          isLarge
        />
        <Field
          {...getInputProps(fields.lastName, { type: "text" })}
          key={fields.lastName.key}
          label={copy.lastName}
          errors={fields.lastName.errors}
          autoComplete="family-name"
          isLarge
        />
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
          autoComplete="new-password"
          isLarge
        />
        <PasswordRules password={password} />
        <Button type="submit" variant="solid" size="l" isWide isBusy={isBusy} aria-disabled={!isValid}>
          {copy.submit}
        </Button>
      </Form>
      <p className="auth__after">
        {copy.known}{" "}
        <Link className="link" to="/auth/login">
          {copy.signIn}
        </Link>
        .
      </p>
    </>
  );
}
