import { Link } from "@remix-run/react";
import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { isConfirmed, TypedConfirm, useTyped } from "#app/components/typed-confirm.tsx";
import { closingCopy as copy } from "#app/copy/settings.ts";
import { leave } from "#app/session/leave.ts";
import { type Proof, ProofDialog } from "./proof-dialog.tsx";
import { Section } from "./section.tsx";
import { useSettings } from "./settings-context.tsx";

/** Says what closing the account does, and does it. Only for the owner. */
export function ClosingSection() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Section title={copy.title} text={copy.text}>
      <dl className="closing-facts">
        {copy.facts.map(({ what, text }) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p className="soft">
        {copy.before}{" "}
        <Link className="link" to="/">
          {copy.download}
        </Link>
      </p>
      <div>
        <Button variant="danger" onClick={() => setIsOpen(true)}>
          {copy.open}
        </Button>
      </div>
      <CloseDialog isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </Section>
  );
}

function CloseDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { me, ask } = useSettings();
  const [typed, setTyped] = useTyped(isOpen);
  async function close(proof: Proof) {
    const answer = await ask("POST user/close-account", { email: typed, ...proof });
    if (answer) await leave("refused", copy.closed);
  }
  return (
    <ProofDialog
      isOpen={isOpen}
      onClose={onClose}
      title={copy.open}
      text={copy.dialog}
      confirm={copy.confirm}
      isReady={isConfirmed(me.email, typed)}
      onConfirm={close}
    >
      <TypedConfirm expected={me.email} value={typed} onChange={setTyped} />
    </ProofDialog>
  );
}
