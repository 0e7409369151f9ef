import { Button } from "#app/components/button.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { placeGuideCopy } from "#app/copy/item-dialogs.ts";
import { dialogCopy } from "#app/copy/shared.ts";
import type { PlaceGuide } from "#connectors/contract/platform-ui.ts";

/** Explains how to set up a place at the platform before it can be added (spec P-053). */
export function PlaceGuideDialog({
  isOpen,
  onClose,
  guide,
}: {
  isOpen: boolean;
  onClose: () => void;
  guide: PlaceGuide;
}) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={guide.title}
      footer={
        <Button variant="solid" onClick={onClose}>
          {dialogCopy.close}
        </Button>
      }
    >
      <ol className="steps">
        {guide.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p className="soft">{placeGuideCopy.note}</p>
    </Dialog>
  );
}
