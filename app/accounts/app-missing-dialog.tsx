import { ExternalLink } from "lucide-react";
import { Button, buttonClass } from "#app/components/button.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { accountCopy as copy } from "#app/copy/accounts.ts";
import { dialogCopy, failureCopy } from "#app/copy/shared.ts";

/** The message about a missing app. It is a warning when only the named account lacks the app (spec P-421). */
type AppMissing = { text: string; isWarning: boolean };

/** Says that the platform's app is not installed, and links to its installation page (spec P-417, P-418). */
export function AppMissingDialog({
  missing,
  installUrl,
  onClose,
}: {
  /** Null = closed. */
  missing: AppMissing | null;
  installUrl: string | null;
  onClose: () => void;
}) {
  const sentence = missing && (/[.!?]$/.test(missing.text) ? missing.text : `${missing.text}.`);
  return (
    <Dialog
      isOpen={missing !== null}
      onClose={onClose}
      title={missing?.isWarning ? failureCopy.warning : failureCopy.error}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            {dialogCopy.close}
          </Button>
          {installUrl !== null && <InstallLink url={installUrl} isMain />}
        </>
      }
    >
      <p>{sentence}</p>
      <p className="soft">{copy.installHint}</p>
    </Dialog>
  );
}

/** Opens the app's installation page in a new tab, so that this page stays open. */
export function InstallLink({ url, isMain }: { url: string; isMain?: boolean }) {
  return (
    <a
      className={buttonClass(isMain ? { variant: "solid" } : { size: "s" })}
      href={url}
      target="_blank"
      rel="noreferrer"
    >
      {copy.install}
      <ExternalLink aria-hidden />
    </a>
  );
}
