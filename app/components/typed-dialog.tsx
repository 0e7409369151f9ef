import { type FormEvent, type ReactNode, useId } from "react";
import { Dialog } from "./dialog.tsx";
import { DialogButtons } from "./dialog-buttons.tsx";
import { isConfirmed, TypedConfirm, useTyped } from "./typed-confirm.tsx";

/**
 * A dialog whose action deletes backups: its button, and Enter, work once the user has typed the name. It always opens
 * with an empty field.
 */
export function TypedDialog({
  isOpen,
  onClose,
  title,
  confirm,
  expected,
  isBusy,
  onConfirm,
  children,
}: {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** The label of the button. */
  confirm: string;
  /** The text to type. */
  expected: string;
  isBusy: boolean;
  onConfirm: () => void;
  /** What the action does. */
  children: ReactNode;
}) {
  const formId = useId();
  const [typed, setTyped] = useTyped(isOpen);
  const isOff = !isConfirmed(expected, typed);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // React would pass the event on to a form around this component.
    event.stopPropagation();
    if (!isOff && !isBusy) onConfirm();
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={title}
      footer={
        <DialogButtons
          variant="bad"
          label={confirm}
          isBusy={isBusy}
          isOff={isOff}
          form={formId}
          onClose={onClose}
        />
      }
    >
      {children}
      <form method="post" id={formId} onSubmit={submit}>
        <TypedConfirm expected={expected} value={typed} onChange={setTyped} />
      </form>
    </Dialog>
  );
}
