import { Link } from "@remix-run/react";
import { buttonClass } from "#app/components/button.tsx";
import { NotePage } from "#app/components/note-page.tsx";
import { comingSoonCopy as copy } from "#app/copy/shell.ts";

/** The 'backups coming soon' placeholder on the page of a platform that this installation is not set up for. */
export function ComingSoon({ label }: { label: string }) {
  return (
    <NotePage title={copy.title(label)} text={copy.text(label)}>
      <Link className={buttonClass({ variant: "outline" })} to="/">
        {copy.back}
      </Link>
      <Link className={buttonClass({ variant: "ghost" })} to="/contact">
        {copy.ask}
      </Link>
    </NotePage>
  );
}
