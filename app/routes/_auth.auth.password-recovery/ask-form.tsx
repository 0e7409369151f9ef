import { getFormProps, getInputProps, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { useState } from "react";
import { callApi } from "#app/api/call-api.ts";
import { Button } from "#app/components/button.tsx";
import { Field } from "#app/components/field.tsx";
import { recoveryCopy as copy } from "#app/copy/auth.ts";
import { askFormSchema } from "./form.schema.ts";
import { sendCode } from "./recovery-calls.ts";

/** The first step: sends a code to an e-mail address. */
export function AskForm({
  onSent,
  onFailure,
}: {
  onSent: (email: string) => void;
  onFailure: (error: unknown) => void;
}) {
  const [isBusy, setIsBusy] = useState(false);
  const [form, fields] = useForm({
    id: "recovery",
    onValidate: ({ formData }) => parseWithZod(formData, { schema: askFormSchema }),
    onSubmit: (event, { submission }) => {
      event.preventDefault();
      if (submission?.status === "success" && !isBusy) void send(submission.value.email);
    },
    shouldValidate: "onBlur",
    shouldRevalidate: "onInput",
  });
  async function send(email: string) {
    setIsBusy(true);
    try {
      await sendCode(callApi, email);
      onSent(email);
    } catch (error) {
      onFailure(error);
      setIsBusy(false);
    }
  }
  return (
    <form className="auth__form" method="post" {...getFormProps(form)}>
      <p className="soft">{copy.lead}</p>
      <Field
        {...getInputProps(fields.email, { type: "email" })}
        key={fields.email.key}
        label={copy.email}
        errors={fields.email.errors}
        autoComplete="username"
        isLarge
      />
      <Button type="submit" variant="solid" size="l" isWide isBusy={isBusy}>
        {copy.send}
      </Button>
    </form>
  );
}
