import { Download } from "lucide-react";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { twoFactorCopy as copy } from "#app/copy/settings.ts";
import { CopyButton } from "./copy-button.tsx";

/** Codes that open the account when the authenticator is lost. They cannot be shown again. */
export function RecoveryCodes({
  codes,
  email,
  onDone,
}: {
  codes: readonly string[];
  email: string;
  onDone: () => void;
}) {
  const text = codes.join("\n");
  function download() {
    const address = URL.createObjectURL(
      new Blob([`${copy.fileTitle(email)}\n\n${text}\n`], { type: "text/plain" }),
    );
    const link = document.createElement("a");
    link.href = address;
    link.download = copy.fileName;
    link.click();
    URL.revokeObjectURL(address);
  }
  return (
    <div className="two-factor-steps">
      <Callout tone="warn">{copy.codesText}</Callout>
      <ul className="recovery-codes" aria-label={copy.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="row">
        <CopyButton text={text} label={copy.copyCodes} />
        <Button size="s" onClick={download}>
          <Download aria-hidden />
          {copy.download}
        </Button>
      </div>
      <div className="two-factor-steps__act">
        <Button variant="solid" onClick={onDone}>
          {copy.keptThem}
        </Button>
      </div>
    </div>
  );
}
