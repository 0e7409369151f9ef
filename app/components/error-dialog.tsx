import { useNavigate } from "@remix-run/react";
import { dialogCopy, failureCopy } from "#app/copy/shared.ts";
import { rememberCheckout } from "#app/shell/checkout-platform.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

/** What could not be done, and which way on is offered. */
export type Failure = {
  /** The server's sentence. */
  text: string;
  /** Titled Warning rather than Error (spec P-416). */
  isWarning?: boolean;
  /** What was refused with, where the opener knows better ways on for some. */
  code?: string;
  /** `load`: the page did not load (spec P-426 to P-429); a platform: its subscription decides (spec P-422). */
  wayOn?: "load" | { subscriptionOf: string };
};

/** The dialog of a refusal: the server's text, and the buttons that lead on (spec P-415, P-416). */
export default function ErrorDialog({
  isOpen,
  onClose,
  failure,
}: {
  isOpen: boolean;
  onClose: () => void;
  failure: Failure | null;
}) {
  const navigate = useNavigate();
  if (failure === null) return null;
  const { text, isWarning, wayOn } = failure;
  const sentence = /[.!?]$/.test(text) ? text : `${text}.`;
  const leave = (path: string) => {
    onClose();
    navigate(path);
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={isWarning ? failureCopy.warning : failureCopy.error}
      footer={
        wayOn === "load" ? (
          <>
            <Button variant="ghost" onClick={() => leave("/contact")}>
              {failureCopy.contact}
            </Button>
            <Button variant="ghost" onClick={onClose}>
              {failureCopy.cancel}
            </Button>
            <Button variant="solid" onClick={() => window.location.reload()}>
              {failureCopy.refresh}
            </Button>
          </>
        ) : (
          <>
            <Button variant={wayOn ? "ghost" : "solid"} onClick={onClose}>
              {dialogCopy.close}
            </Button>
            {wayOn && (
              <Button
                variant="solid"
                onClick={() => {
                  rememberCheckout(wayOn.subscriptionOf);
                  leave("/checkout");
                }}
              >
                {failureCopy.editSubscription}
              </Button>
            )}
          </>
        )
      }
    >
      <p>{wayOn === "load" ? `${sentence} ${failureCopy.advice}` : sentence}</p>
      {wayOn === "load" && <p className="soft">{failureCopy.kept}</p>}
    </Dialog>
  );
}
