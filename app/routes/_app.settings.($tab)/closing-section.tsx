import { Link } from "@remix-run/react";
import { type FormEvent, useId, useState } from "react";
import { useRequest } from "#app/api/use-request.ts";
import { Button } from "#app/components/button.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { DialogButtons } from "#app/components/dialog-buttons.tsx";
import { isConfirmed, TypedConfirm, useTyped } from "#app/components/typed-confirm.tsx";
import { closingCopy as copy } from "#app/copy/settings.ts";
import { leave } from "#app/session/leave.ts";
import { ProofFields, useProof } from "./proof-fields.tsx";
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
  const formId = useId();
  const [typed, setTyped] = useTyped(isOpen);
  const { proof, setProof, isWhole, given } = useProof(isOpen);
  const { isBusy, send } = useRequest();
  const isOff = !isConfirmed(me.email, typed) || !isWhole;
  async function close(event: FormEvent) {
    event.preventDefault();
    if (isOff || isBusy) return;
    await send(async () => {
      const answer = await ask("POST user/close-account", { email: typed, ...given });
      if (answer) await leave("refused", copy.closed);
    });
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={copy.open}
      footer={
        <DialogButtons
          variant="bad"
          label={copy.confirm}
          isBusy={isBusy}
          isOff={isOff}
          form={formId}
          onClose={onClose}
        />
      }
    >
      <p>{copy.dialog}</p>
      <form method="post" id={formId} className="settings-form" noValidate onSubmit={close}>
        <TypedConfirm expected={me.email} value={typed} onChange={setTyped} />
        <ProofFields proof={proof} onChange={setProof} />
      </form>
    </Dialog>
  );
}
