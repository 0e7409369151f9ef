import { Link } from "@remix-run/react";
import { dialogCopy, upgradeCopy } from "#app/copy/shared.ts";
import { rememberCheckout } from "#app/shell/checkout-platform.ts";
import { useShell } from "#app/shell/use-shell.ts";
import { Button, buttonClass } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

/** Says that a feature needs the Pro plan (spec A-360), or why a limit was reached. The owner may go to the checkout. */
export function UpgradeDialog({
  isOpen,
  onClose,
  platform = null,
  title = upgradeCopy.title,
  text = upgradeCopy.text,
}: {
  isOpen: boolean;
  onClose: () => void;
  /** The platform to upgrade; null = the checkout asks. */
  platform?: string | null;
  title?: string;
  text?: string;
}) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={title}
      footer={<Ways platform={platform} onClose={onClose} />}
    >
      <p>{text}</p>
      <p className="soft">{upgradeCopy.kept}</p>
    </Dialog>
  );
}

/** Only the owner buys (spec part 3 section 6), and in restricted mode nobody does. */
function Ways({ platform, onClose }: { platform: string | null; onClose: () => void }) {
  const { member, isRestricted } = useShell();
  const canBuy = member.isOwner && !isRestricted;
  return (
    <>
      <Button variant={canBuy ? "ghost" : "solid"} onClick={onClose}>
        {dialogCopy.close}
      </Button>
      {canBuy && (
        <Link
          className={buttonClass({ variant: "solid" })}
          to="/checkout"
          onClick={() => platform !== null && rememberCheckout(platform)}
        >
          {upgradeCopy.go}
        </Link>
      )}
    </>
  );
}
