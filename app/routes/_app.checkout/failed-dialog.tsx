import { useEffect, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { checkoutCopy } from "#app/copy/checkout.ts";
import { labelOf } from "./app-labels.ts";
import type { OpenPayment } from "./purchase.ts";

const copy = checkoutCopy.pay;

/** Opens after each refused payment (spec B-275): why, and the way back to the card. */
export function FailedDialog({
  open,
  onContinue,
}: {
  open: readonly OpenPayment[];
  /** The card form is wanted. */
  onContinue: () => void;
}) {
  const [seen, setSeen] = useState<readonly OpenPayment[]>([]);
  const isOpen = open.length > 0 && open !== seen;
  useEffect(() => {
    if (open.length > 0) onContinue();
  }, [open, onContinue]);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={() => setSeen(open)}
      title={copy.failedTitle}
      footer={
        <Button variant="solid" onClick={() => setSeen(open)}>
          {copy.again}
        </Button>
      }
    >
      {open.map(({ platform, message }) => (
        <p key={platform}>{open.length > 1 ? `${labelOf(platform)}: ${message}` : message}</p>
      ))}
      <p className="soft">{copy.enterAgain}</p>
    </Dialog>
  );
}
