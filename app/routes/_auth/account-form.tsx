import { getFormProps, getInputProps, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { type FormEvent, type ReactNode, useState } from "react";
import type * as z from "zod/mini";
import { ApiError } from "#app/api/call-api.ts";
import { errorText } from "#app/api/error-text.ts";
import { Button } from "#app/components/button.tsx";
import { Field } from "#app/components/field.tsx";
import { accountFormCopy as copy, signInCopy } from "#app/copy/auth.ts";
import { usePasswordCheck } from "#app/password/use-password-check.ts";
import { emailSchema } from "#core/accounts/password.schema.ts";
import { FailureAlert } from "./failure-alert.tsx";
import { NewPasswordField } from "./new-password-field.tsx";

/** The form's values. Some pages add fields to name, e-mail and password. */
type Typed = {
  firstName: string;
  lastName: string;
  email: string;
  password: string;
  apps?: unknown;
  code?: string;
};
type Fields = ReturnType<typeof useForm<Typed>>[1];

type AccountFormProps<Form extends Typed> = {
  id: string;
  schema: z.core.$ZodType<Form, Typed>;
  title: string;
  lead: string;
  submit: string;
  /** Values from a link. The e-mail cannot be changed. */
  known?: { email: string; firstName?: string; lastName?: string; code?: string };
  onSend: (form: Form) => Promise<void>;
  /** Additional fields of this page. */
  more?: (fields: Fields) => ReactNode;
  after?: ReactNode;
};

/**
 * The form that creates an account: at sign-up, for an invitation, and for confirming an e-mail in another browser. It
 * can be submitted once it is valid (spec ). Errors are shown in an alert (spec A-436).
 * @param onSend resolves when the page continues; until then the form is busy
 */
export function AccountForm<Form extends Typed>(props: AccountFormProps<Form>) {
  const { title, lead, submit, known, more, after } = props;
  const { form, fields, look, check, password, isReady, sending } = useAccountForm(props);
  const wrongEmail = known && emailSchema.safeParse(known.email).error?.issues[0]?.message;
  return (
    <>
      <form className="auth__panel" method="post" {...getFormProps(form)} onInput={look}>
        <div>
          <h1>{title}</h1>
          <p className="soft">{lead}</p>
        </div>
        <NameFields fields={fields} />
        <Field
          {...getInputProps(fields.email, { type: "email" })}
          key={fields.email.key}
          label={copy.email}
          errors={wrongEmail ? [wrongEmail] : fields.email.errors}
          autoComplete="username"
          readOnly={known !== undefined}
          isLarge
        />
        {more?.(fields)}
        <NewPasswordField
          {...getInputProps(fields.password, { type: "password" })}
          key={fields.password.key}
          label={copy.password}
          check={check}
          isEmpty={password === ""}
        />
        <Button
          type="submit"
          variant="solid"
          size="l"
          isWide
          isBusy={sending.isBusy}
          aria-disabled={!isReady}
        >
          {submit}
        </Button>
        {after}
      </form>
      <FailureAlert
        title={copy.failedTitle}
        close={copy.close}
        text={sending.failure}
        onClose={sending.forget}
      />
    </>
  );
}

function NameFields({ fields }: { fields: Fields }) {
  return (
    <div className="auth__pair">
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
    </div>
  );
}

/** State, validity and submission of the form. */
function useAccountForm<Form extends Typed>({ id, schema, known, onSend }: AccountFormProps<Form>) {
  const sending = useSending(onSend);
  const [password, setPassword] = useState("");
  const [isValid, setIsValid] = useState(false);
  const check = usePasswordCheck(password);
  const [form, fields] = useForm<Typed, Form>({
    id,
    defaultValue: known ?? {},
    onValidate: ({ formData }) => parseWithZod(formData, { schema }),
    onSubmit: (event, { submission }) => {
      event.preventDefault();
      if (submission?.status === "success" && check.isGood && !sending.isBusy) {
        void sending.send(submission.value);
      }
    },
    shouldValidate: "onBlur",
    shouldRevalidate: "onInput",
  });
  function look(event: FormEvent<HTMLFormElement>) {
    const typed = new FormData(event.currentTarget);
    setPassword(String(typed.get("password") ?? ""));
    setIsValid(parseWithZod(typed, { schema }).status === "success");
  }
  return { form, fields, look, check, password, isReady: isValid && check.isGood, sending };
}

/** The submission of the form: its progress and its error. */
function useSending<Form>(onSend: (form: Form) => Promise<void>) {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  async function send(form: Form) {
    setIsBusy(true);
    setFailure(null);
    try {
      await onSend(form);
    } catch (error) {
      setFailure(error instanceof ApiError ? errorText(error.message) : signInCopy.somethingWrong);
      setIsBusy(false);
    }
  }
  return { send, isBusy, failure, forget: () => setFailure(null) };
}
