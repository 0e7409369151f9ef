import { useNavigate } from "@remix-run/react";
import { useEffect, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { buyCopy as copy } from "#app/copy/shell.ts";
import { rememberCheckout } from "./checkout-platform.ts";
import { BUY_COOKIE, type BuyPrompt } from "./shell-view.ts";

/** Asks for a subscription once after a trial or a subscription has ended (spec, B-106, B-107). */
export default function BuyDialog({ prompt }: { isOpen: boolean; prompt: BuyPrompt | null }) {
  const navigate = useNavigate();
  const [shown, setShown] = useState<BuyPrompt | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    if (prompt === null) return;
    setShown(prompt);
    setIsOpen(true);
    /* The server reads it, so that the dialog does not flash up again. */
    // biome-ignore lint/suspicious/noDocumentCookie: -- the Cookie Store API is not everywhere yet
    document.cookie = `${BUY_COOKIE}=${prompt.key}; Path=/; Max-Age=31536000; SameSite=Lax`;
  }, [prompt]);
  if (shown === null) return null;
  const words = copy[shown.kind];
  return (
    <Dialog
      isOpen={isOpen}
      onClose={() => setIsOpen(false)}
      title={words.title}
      footer={
        <>
          <Button variant="ghost" onClick={() => setIsOpen(false)}>
            {copy.close}
          </Button>
          <Button
            variant="solid"
            onClick={() => {
              rememberCheckout(shown.platform);
              setIsOpen(false);
              navigate("/checkout");
            }}
          >
            {copy.buy}
          </Button>
        </>
      }
    >
      <p>{words.text}</p>
    </Dialog>
  );
}
