import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { twoFactorCopy as copy } from "#app/copy/settings.ts";

/** How long "Copied" is shown, in ms. */
const SHOW_MS = 2000;

/** Copies a text to the clipboard and confirms it. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), SHOW_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const Icon = isCopied ? Check : Copy;
  return (
    <>
      <Button
        size="s"
        aria-label={label}
        onClick={() => void navigator.clipboard.writeText(text).then(() => setIsCopied(true))}
      >
        <Icon aria-hidden />
        {isCopied ? copy.copied : copy.copy}
      </Button>
      <span className="sr" role="status">
        {isCopied ? copy.copied : ""}
      </span>
    </>
  );
}
