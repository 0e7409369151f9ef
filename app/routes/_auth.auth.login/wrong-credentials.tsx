import { Link } from "@remix-run/react";
import { Button, buttonClass } from "#app/components/button.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { signInCopy as copy } from "#app/copy/auth.ts";

/** The dialog after rejected credentials (spec ). */
export default function WrongCredentials({
  isOpen,
  text,
  onClose,
}: {
  isOpen: boolean;
  text: string | null;
  onClose: () => void;
}) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={copy.failedTitle}
      footer={
        <>
          <Link className={buttonClass({ variant: "outline" })} to="/auth/sign-up">
            {copy.signUp}
          </Link>
          <Button variant="solid" onClick={onClose}>
            {copy.tryAgain}
          </Button>
        </>
      }
    >
      <p role="alert">{text}</p>
      <p>
        <Link className="link" to="/auth/sign-up">
          {copy.failedLink}
        </Link>
      </p>
    </Dialog>
  );
}
