import { dialogCopy } from "#app/copy/shared.ts";
import { Button } from "./button.tsx";

/** The buttons of a dialog: Cancel, and its one action. */
export function DialogButtons({
  label,
  variant = "solid",
  isBusy,
  reason,
  isOff = false,
  onConfirm,
  onClose,
}: {
  /** The action's words. */
  label: string;
  variant?: "solid" | "danger" | "bad";
  isBusy?: boolean;
  /** Why the action is not possible now. */
  reason?: string | null;
  /** The action is not possible, and the dialog says why elsewhere. */
  isOff?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}) {
  return (
    <>
      <Button variant="ghost" onClick={onClose}>
        {dialogCopy.cancel}
      </Button>
      <Button variant={variant} isBusy={isBusy} reason={reason} aria-disabled={isOff} onClick={onConfirm}>
        {label}
      </Button>
    </>
  );
}
