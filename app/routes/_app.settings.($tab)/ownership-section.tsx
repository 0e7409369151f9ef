import { type FormEvent, useId, useState } from "react";
import { useRequest } from "#app/api/use-request.ts";
import { Button } from "#app/components/button.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { DialogButtons } from "#app/components/dialog-buttons.tsx";
import { SelectField } from "#app/components/select-field.tsx";
import { ownershipCopy as copy } from "#app/copy/settings.ts";
import { ProofFields, useProof } from "./proof-fields.tsx";
import { Section } from "./section.tsx";
import { useSettings } from "./settings-context.tsx";
import type { InvitedUser, InvitedUsers } from "./wire-types.ts";

/** Hands the ownership over to somebody who has joined. Only for the owner. */
export function OwnershipSection({ users }: { users: InvitedUsers | null }) {
  const [isOpen, setIsOpen] = useState(false);
  if (!users) return null;
  const joined = users.organization_users.filter(({ name }) => name !== undefined);
  return (
    <Section title={copy.title} text={copy.text}>
      <div>
        <Button reason={joined.length === 0 ? copy.nobody : null} onClick={() => setIsOpen(true)}>
          {copy.open}
        </Button>
      </div>
      <HandOverDialog isOpen={isOpen} joined={joined} onClose={() => setIsOpen(false)} />
    </Section>
  );
}

function HandOverDialog({
  isOpen,
  joined,
  onClose,
}: {
  isOpen: boolean;
  joined: readonly InvitedUser[];
  onClose: () => void;
}) {
  const { ask } = useSettings();
  const formId = useId();
  const [chosen, setChosen] = useState("");
  const { proof, setProof, isWhole, given } = useProof(isOpen);
  const { isBusy, send } = useRequest();
  if (!isOpen && chosen !== "") setChosen("");
  const heir = joined.find(({ sub }) => sub === chosen);
  async function handOver(event: FormEvent) {
    event.preventDefault();
    if (!heir || !isWhole || isBusy) return;
    await send(async () => {
      const answer = await ask("POST user/hand-over-ownership", { targetUserSub: heir.sub, ...given });
      // Everything around the page is another for a member.
      if (answer) window.location.assign("/settings");
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
          isOff={!heir || !isWhole}
          form={formId}
          onClose={onClose}
        />
      }
    >
      <p>{copy.dialog}</p>
      <form method="post" id={formId} className="settings-form" noValidate onSubmit={handOver}>
        <SelectField label={copy.heir} value={chosen} onChange={({ target }) => setChosen(target.value)}>
          <option value="">{copy.choose}</option>
          {joined.map((user) => (
            <option key={user.sub} value={user.sub}>
              {wordsOf(user)}
            </option>
          ))}
        </SelectField>
        <ProofFields proof={proof} onChange={setProof} />
      </form>
    </Dialog>
  );
}

function wordsOf({ name, family_name, email }: InvitedUser): string {
  return `${[name, family_name].filter(Boolean).join(" ")} (${email})`;
}
