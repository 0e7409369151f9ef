import { Button } from "#app/components/button.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { instructionsCopy } from "#app/copy/item-dialogs.ts";
import { dialogCopy } from "#app/copy/shared.ts";

/** Explains how to add an organisation as a place (spec P-053). */
export function InstructionsDialog({
  isOpen,
  onClose,
  label,
}: {
  isOpen: boolean;
  onClose: () => void;
  label: string;
}) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={instructionsCopy.title(label)}
      footer={
        <Button variant="solid" onClick={onClose}>
          {dialogCopy.close}
        </Button>
      }
    >
      <ol className="steps">
        {instructionsCopy.steps(label).map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p className="soft">{instructionsCopy.note}</p>
    </Dialog>
  );
}
