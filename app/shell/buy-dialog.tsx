import { useNavigate } from "@remix-run/react";
import { useEffect, useState } from "react";
import { Button } from "#app/components/button.tsx";
import DialogFrame from "#app/components/dialog-frame.tsx";
import { buyCopy as copy } from "#app/copy/shell.ts";
import { storeCookie } from "#app/session/browser-cookie.ts";
import { rememberCheckout } from "./checkout-platform.ts";
import { BUY_COOKIE, type BuyPrompt } from "./shell-view.ts";

/**
 * Offers a subscription once after a trial or subscription has ended (spec, B-106, B-107). It opens by
 * itself, so it comes with its frame: an empty one would only be in the way.
 */
export default function BuyDialog({ prompt }: { isOpen: boolean; prompt: BuyPrompt | null }) {
  const navigate = useNavigate();
  const [shown, setShown] = useState<BuyPrompt | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    if (prompt === null) return;
    setShown(prompt);
    setIsOpen(true);
  }, [prompt]);
  if (shown === null) return null;
  // Stored only when the user closes it: leaving the page while it opens does not count.
  const close = () => {
    storeCookie({ name: BUY_COOKIE, value: shown.key });
    setIsOpen(false);
  };
  const words = copy[shown.kind];
  return (
    <DialogFrame
      isOpen={isOpen}
      onClose={close}
      title={words.title}
      footer={
        <>
          <Button variant="ghost" onClick={close}>
            {copy.close}
          </Button>
          <Button
            variant="solid"
            onClick={() => {
              rememberCheckout(shown.platform);
              close();
              navigate("/checkout");
            }}
          >
            {copy.buy}
          </Button>
        </>
      }
    >
      <p>{words.text}</p>
    </DialogFrame>
  );
}
