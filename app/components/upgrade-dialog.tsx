import { dialogCopy, upgradeCopy } from "#app/copy/shared.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

/** Says that a feature needs the Pro plan (spec A-360), or why a limit was reached. */
export function UpgradeDialog({
  isOpen,
  onClose,
  title = upgradeCopy.title,
  text = upgradeCopy.text,
}: {
  isOpen: boolean;
  onClose: () => void;
  title?: string;
  text?: string;
}) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={title}
      footer={
        <Button variant="solid" onClick={onClose}>
          {dialogCopy.close}
        </Button>
      }
    >
      <p>{text}</p>
      <p className="soft">{upgradeCopy.kept}</p>
    </Dialog>
  );
}
