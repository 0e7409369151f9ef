import { Link } from "@remix-run/react";
import { useRef } from "react";
import { Button, buttonClass } from "#app/components/button.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { promptCopy as copy, settingsCopy } from "#app/copy/settings.ts";
import { useRestricted } from "#app/session/use-restricted.ts";
import { rememberCheckout } from "#app/shell/checkout-platform.ts";

/**
 * Says that rights on a platform need a subscription or a trial, and links to the plans (spec A-283) unless sales are
 * hidden.
 */
export function SubscriptionPrompt({
  platform,
  onClose,
}: {
  platform: { id: string; name: string } | null;
  onClose: () => void;
}) {
  const isRestricted = useRestricted();
  const last = useRef(platform);
  if (platform) last.current = platform;
  const { id = "", name = "" } = last.current ?? {};
  return (
    <Dialog
      isOpen={platform !== null}
      onClose={onClose}
      title={copy.title(name)}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            {settingsCopy.cancel}
          </Button>
          {!isRestricted && (
            <Link
              className={buttonClass({ variant: "solid" })}
              to="/checkout"
              onClick={() => rememberCheckout(id)}
            >
              {copy.go}
            </Link>
          )}
        </>
      }
    >
      <p>{copy.text}</p>
      <p className="soft">{copy.more(name)}</p>
    </Dialog>
  );
}
