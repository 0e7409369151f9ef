import { type ReactNode, useState } from "react";
import { dialogCopy } from "#app/copy/shared.ts";
import type { PlaceGuide } from "#connectors/contract/platform-ui.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

/** Instructions of a platform, step by step (spec P-053, P-086). */
export function GuideDialog({
  isOpen,
  onClose,
  guide,
  note,
  action,
}: {
  isOpen: boolean;
  onClose: () => void;
  guide: PlaceGuide;
  /** A sentence below the steps. */
  note?: string;
  /** Where the steps begin; Close is then the second button. */
  action?: ReactNode;
}) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={guide.title}
      footer={
        <>
          <Button variant={action ? "ghost" : "solid"} onClick={onClose}>
            {dialogCopy.close}
          </Button>
          {action}
        </>
      }
    >
      <ol className="steps">
        {guide.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {note && <p className="soft">{note}</p>}
    </Dialog>
  );
}

/** Opens the instructions from within another dialog. */
export function GuideLink({ guide }: { guide: PlaceGuide }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" className="link" onClick={() => setIsOpen(true)}>
        {guide.label}
      </button>
      <GuideDialog isOpen={isOpen} onClose={() => setIsOpen(false)} guide={guide} />
    </>
  );
}
