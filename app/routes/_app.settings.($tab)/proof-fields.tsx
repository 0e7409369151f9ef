import { useState } from "react";
import { Field } from "#app/components/field.tsx";
import { proofCopy as copy } from "#app/copy/settings.ts";
import { PasswordField } from "#app/password/password-field.tsx";
import { OLD_PASSWORD_MAX_LENGTH } from "#core/accounts/password.schema.ts";
import { useSettings } from "./settings-context.tsx";

/** What confirms that it is really the person: the password, and a code while the second factor is on. */
export type ProofText = { password: string; code: string };

/** Empty again whenever its dialog is closed. */
export function useProof(isOpen: boolean) {
  const { two_factor_enabled: needsCode } = useSettings().me;
  const [proof, setProof] = useState<ProofText>({ password: "", code: "" });
  if (!isOpen && proof.password + proof.code !== "") setProof({ password: "", code: "" });
  const isWhole = proof.password !== "" && (!needsCode || proof.code !== "");
  /** As the calls take it. */
  const given = needsCode ? proof : { password: proof.password };
  return { proof, setProof, isWhole, given };
}

/** The fields of a confirmation, at the end of a form. */
export function ProofFields({ proof, onChange }: { proof: ProofText; onChange: (proof: ProofText) => void }) {
  const { me } = useSettings();
  return (
    <>
      <input type="text" autoComplete="username" value={me.email} readOnly hidden />
      <PasswordField
        label={copy.password}
        value={proof.password}
        autoComplete="current-password"
        maxLength={OLD_PASSWORD_MAX_LENGTH}
        onChange={({ target }) => onChange({ ...proof, password: target.value })}
      />
      {me.two_factor_enabled && (
        <Field
          label={copy.code}
          hint={copy.codeHint}
          value={proof.code}
          inputMode="text"
          autoComplete="one-time-code"
          maxLength={20}
          onChange={({ target }) => onChange({ ...proof, code: target.value.trim() })}
        />
      )}
    </>
  );
}
