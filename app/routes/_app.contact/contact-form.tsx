import { type FormEvent, useId, useState } from "react";
import { callApi } from "#app/api/call-api.ts";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { Field } from "#app/components/field.tsx";
import { notify } from "#app/components/toasts.ts";
import { contactCopy as copy } from "#app/copy/contact.ts";
import { type ContactField, contactBody, contactFaults, type ContactForm as Form } from "./contact-rules.ts";
import { QuestionField } from "./question-field.tsx";

/**
 * The contact form. Field errors appear on blur; the button is disabled until the form is valid (spec B-100 to B-105).
 */
export function ContactForm({ known }: { known: Partial<Form> }) {
  const id = useId();
  const empty: Form = { firstName: "", lastName: "", company: "", email: "", question: "", ...known };
  const [form, setForm] = useState(empty);
  const [left, setLeft] = useState<ReadonlySet<ContactField>>(new Set());
  const [state, setState] = useState<"idle" | "sending" | "failed">("idle");
  const faults = contactFaults(form);
  const isComplete = Object.keys(faults).length === 0;

  const props = (name: ContactField) => {
    const fault = left.has(name) ? faults[name] : undefined;
    return {
      name,
      id: `${id}-${name}`,
      label: copy[name],
      value: form[name],
      required: true,
      errors: fault ? [fault] : undefined,
      onChange: (event: { target: { value: string } }) => setForm({ ...form, [name]: event.target.value }),
      onBlur: () => setLeft(new Set(left).add(name)),
    };
  };

  async function send(event: FormEvent) {
    event.preventDefault();
    if (!isComplete || state === "sending") return;
    setState("sending");
    try {
      await callApi("POST contactus", contactBody(form), { isQuiet: true });
      setForm({ ...form, question: "" });
      setLeft(new Set());
      setState("idle");
      notify(copy.sent);
    } catch {
      setState("failed");
    }
  }

  return (
    <form method="post" className="contact-form" onSubmit={send} noValidate aria-label={copy.title}>
      <div className="contact-form__pair">
        <Field {...props("firstName")} autoComplete="given-name" isLarge />
        <Field {...props("lastName")} autoComplete="family-name" isLarge />
      </div>
      <Field {...props("company")} autoComplete="organization" isLarge />
      <Field {...props("email")} type="email" autoComplete="email" isLarge />
      <QuestionField {...props("question")} />
      {state === "failed" && <Callout tone="bad">{copy.failed}</Callout>}
      <div className="row">
        <Button
          type="submit"
          variant="solid"
          size="l"
          aria-disabled={!isComplete}
          isBusy={state === "sending"}
        >
          {copy.submit}
        </Button>
      </div>
    </form>
  );
}
