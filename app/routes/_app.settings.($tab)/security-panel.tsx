import { lazy, Suspense, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { securityCopy as copy, twoFactorCopy } from "#app/copy/settings.ts";
import { PasswordForm } from "./password-form.tsx";
import { Section } from "./section.tsx";
import { useSettings } from "./settings-context.tsx";
import type { TwoFactorAim } from "./two-factor-steps.tsx";

/** The content of the dialog with the QR code library, loaded when it opens. */
const TwoFactorSteps = lazy(() => import("./two-factor-steps.tsx"));

/** Password and second factor. */
export function SecurityPanel() {
  return (
    <>
      <Section title={copy.password} text={copy.otherSessions}>
        <PasswordForm />
      </Section>
      <TwoFactor />
    </>
  );
}

function TwoFactor() {
  const isOn = useSettings().me.two_factor_enabled;
  const [aim, setAim] = useState<TwoFactorAim | null>(null);
  const [shown, setShown] = useState<TwoFactorAim>("enable");
  const [isHeld, setIsHeld] = useState(false);
  function open(next: TwoFactorAim) {
    setShown(next);
    setAim(next);
  }
  function close() {
    setIsHeld(false);
    setAim(null);
  }
  return (
    <Section title={copy.twoFactor} text={copy.twoFactorText}>
      <div className="row two-factor-state">
        <span className={isOn ? "badge badge-ok" : "badge"}>{isOn ? copy.on : copy.off}</span>
        <Button variant={isOn ? "outline" : "solid"} onClick={() => open(isOn ? "disable" : "enable")}>
          {isOn ? copy.disable : copy.enable}
        </Button>
        {isOn && (
          <Button variant="ghost" onClick={() => open("renew")}>
            {copy.renew}
          </Button>
        )}
      </div>
      <Dialog
        isOpen={aim !== null}
        onClose={() => !isHeld && close()}
        title={twoFactorCopy.titles[aim ?? shown]}
      >
        <Suspense fallback={null}>
          {aim && <TwoFactorSteps aim={aim} onHold={setIsHeld} onDone={close} />}
        </Suspense>
      </Dialog>
    </Section>
  );
}
