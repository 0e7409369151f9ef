import { useNavigate } from "@remix-run/react";
import { dialogCopy, failureCopy } from "#app/copy/shared.ts";
import { rememberCheckout } from "#app/shell/checkout-platform.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { ForeignText } from "./notice-callout.tsx";

/** An error to show, and the action offered with it. */
export type Failure = {
  /** The server's message. */
  text: string;
  /** Titled "Warning" instead of "Error" (spec P-416). */
  isWarning?: boolean;
  /** The text came with the address and is not ours. */
  isForeign?: boolean;
  /** The error code, for callers that offer better actions for some codes. */
  code?: string;
  /**
   * `load`: the page did not load (spec P-426 to P-429). With `subscriptionOf`, offers to edit that platform's
   * subscription (spec P-422).
   */
  wayOn?: "load" | { subscriptionOf: string };
};

/** The error dialog: the server's message and the action buttons (spec P-415, P-416). */
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
  const { text, isWarning, isForeign, wayOn } = failure;
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
      {isForeign ? (
        <ForeignText text={text} />
      ) : (
        <p>{wayOn === "load" ? `${sentence} ${failureCopy.advice}` : sentence}</p>
      )}
      {wayOn === "load" && <p className="soft">{failureCopy.kept}</p>}
    </Dialog>
  );
}
