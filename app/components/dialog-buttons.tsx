import { dialogCopy } from "#app/copy/shared.ts";
import { Button } from "./button.tsx";

/** The buttons of a dialog: Cancel, and its one action, which may be to submit the form with this id. */
export function DialogButtons({
  label,
  variant = "solid",
  isBusy,
  reason,
  isOff = false,
  form,
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
  onClose: () => void;
} & ({ onConfirm: () => void; form?: undefined } | { form: string; onConfirm?: undefined })) {
  return (
    <>
      <Button variant="ghost" onClick={onClose}>
        {dialogCopy.cancel}
      </Button>
      <Button
        variant={variant}
        type={form === undefined ? "button" : "submit"}
        form={form}
        isBusy={isBusy}
        reason={reason}
        aria-disabled={isOff}
        onClick={onConfirm}
      >
        {label}
      </Button>
    </>
  );
}
