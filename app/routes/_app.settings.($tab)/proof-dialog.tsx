import { type FormEvent, type ReactNode, useId, useState } from "react";
import { useRequest } from "#app/api/use-request.ts";
import { Dialog } from "#app/components/dialog.tsx";
import { DialogButtons } from "#app/components/dialog-buttons.tsx";
import { Field } from "#app/components/field.tsx";
import { proofCopy as copy } from "#app/copy/settings.ts";
import { PasswordField } from "#app/password/password-field.tsx";
import { OLD_PASSWORD_MAX_LENGTH } from "#core/accounts/password.schema.ts";
import { useSettings } from "./settings-context.tsx";

/** What confirms that it is really the person: the password, and a code while the second factor is on. */
export type Proof = { password: string; code?: string };

const NOTHING = { password: "", code: "" };

/** A dialog before something that cannot be taken back: the person confirms it with their password. */
export function ProofDialog({
  isOpen,
  onClose,
  title,
  text,
  confirm,
  isReady,
  onConfirm,
  children,
}: {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  text: string;
  /** The label of the button that does it. */
  confirm: string;
  /** Whether the fields above the password are filled in. */
  isReady: boolean;
  onConfirm: (proof: Proof) => Promise<unknown>;
  children: ReactNode;
}) {
  const { two_factor_enabled: needsCode, email } = useSettings().me;
  const formId = useId();
  const [proof, setProof] = useState(NOTHING);
  const { isBusy, send } = useRequest();
  if (!isOpen && proof !== NOTHING) setProof(NOTHING);
  const isOff = !isReady || proof.password === "" || (needsCode && proof.code === "");
  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isOff || isBusy) return;
    await send(() => onConfirm(needsCode ? proof : { password: proof.password }));
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={title}
      footer={
        <DialogButtons
          variant="bad"
          label={confirm}
          isBusy={isBusy}
          isOff={isOff}
          form={formId}
          onClose={onClose}
        />
      }
    >
      <p>{text}</p>
      <form method="post" id={formId} className="settings-form" noValidate onSubmit={submit}>
        {children}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          label={copy.password}
          value={proof.password}
          autoComplete="current-password"
          maxLength={OLD_PASSWORD_MAX_LENGTH}
          onChange={({ target }) => setProof({ ...proof, password: target.value })}
        />
        {needsCode && (
          <Field
            label={copy.code}
            hint={copy.codeHint}
            value={proof.code}
            inputMode="text"
            autoComplete="one-time-code"
            maxLength={20}
            onChange={({ target }) => setProof({ ...proof, code: target.value.trim() })}
          />
        )}
      </form>
    </Dialog>
  );
}
