import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import type { ResultOf } from "#app/api/call-api.ts";
import { Button } from "#app/components/button.tsx";
import { Field } from "#app/components/field.tsx";
import { notify } from "#app/components/toasts.ts";
import { twoFactorCopy as copy, securityCopy, settingsCopy } from "#app/copy/settings.ts";
import { isCode } from "./code.ts";
import { CopyButton } from "./copy-button.tsx";
import { QrCode } from "./qr-code.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { useSettings } from "./settings-context.tsx";

/** The purpose of the dialog. */
export type TwoFactorAim = "enable" | "disable" | "renew";

/** Pause between an accepted code and the next call, in ms (spec A-249). */
const PAUSE_MS = 1500;

/** The key of a new authenticator. */
type Secret = ResultOf<"POST identity/two-factor/secret">;

const WORDS = { enable: securityCopy.enable, disable: securityCopy.disable, renew: copy.renewSubmit };

/** Secret, code, and recovery codes. Nothing changes before a valid code is entered (spec ). */
export default function TwoFactorSteps({
  aim,
  onHold,
  onDone,
}: {
  aim: TwoFactorAim;
  /** True while closing would lose something: between two calls, and while the recovery codes are shown. */
  onHold: (isHeld: boolean) => void;
  onDone: () => void;
}) {
  const { me, ask, patchMe } = useSettings();
  const [code, setCode] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const [codes, setCodes] = useState<string[] | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const secret = useSecret(aim);

  async function change(): Promise<boolean> {
    if (!(await ask("POST identity/two-factor/verify", { code }))) return false;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    if (aim === "disable") return Boolean(await ask("POST identity/two-factor/disable", {}));
    const changed = await (aim === "enable"
      ? ask("POST identity/two-factor/enable", {})
      : ask("POST identity/two-factor/recovery-codes", {}));
    if (changed) setCodes(changed.result.recovery_codes);
    return Boolean(changed);
  }
  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isBusy || !isCode(code)) return;
    setIsBusy(true);
    onHold(true);
    const isChanged = await change();
    const check = isChanged && (await ask("GET identity/two-factor/check", {}));
    if (check) patchMe({ two_factor_enabled: check.result.enabled });
    setIsBusy(false);
    setCode("");
    onHold(isChanged && aim !== "disable");
    if (isChanged && aim !== "renew") notify(aim === "enable" ? copy.enabled : copy.disabled);
    if (isChanged && aim === "disable") onDone();
    if (!isChanged) form.current?.querySelector("input")?.focus();
  }
  if (codes) return <RecoveryCodes codes={codes} email={me.email} onDone={onDone} />;
  return (
    <form method="post" ref={form} className="two-factor-steps" noValidate onSubmit={submit}>
      {aim === "enable" && <SecretToScan secret={secret} />}
      {aim === "disable" && <p className="soft">{copy.disableText}</p>}
      {aim === "renew" && <p className="soft">{copy.renewText}</p>}
      <Field
        label={copy.code}
        hint={copy.codeHint}
        value={code}
        onChange={(event) => setCode(event.target.value.trim())}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={10}
        isLarge
      />
      <div className="two-factor-steps__act">
        <Button onClick={onDone} variant="ghost" aria-disabled={isBusy}>
          {settingsCopy.cancel}
        </Button>
        <Button
          type="submit"
          variant={aim === "disable" ? "bad" : "solid"}
          isBusy={isBusy}
          aria-disabled={!isCode(code) || (aim === "enable" && !secret)}
        >
          {WORDS[aim]}
        </Button>
      </div>
    </form>
  );
}

/** The new authenticator secret, requested when the dialog opens with `enable` (spec A-245). */
function useSecret(aim: TwoFactorAim): Secret | null {
  const { read } = useSettings();
  const { data } = useQuery({
    queryKey: ["two-factor-secret"],
    queryFn: () => read("POST identity/two-factor/secret", {}),
    enabled: aim === "enable",
    // Another one would replace the one that is being scanned.
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data ?? null;
}

function SecretToScan({ secret }: { secret: Secret | null }) {
  if (!secret) return <p className="two-factor-secret soft">{copy.preparing}</p>;
  return (
    <div className="two-factor-secret">
      <p>{copy.scan}</p>
      <QrCode text={secret.uri} label={copy.qr} />
      <div className="stack">
        <span className="meta">{copy.byHand}</span>
        <div className="row two-factor-secret__text">
          <code>{secret.secret.match(/.{1,4}/g)?.join(" ")}</code>
          <CopyButton text={secret.secret} label={copy.copySecret} />
        </div>
      </div>
    </div>
  );
}
