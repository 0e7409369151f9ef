import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { SelectField } from "#app/components/select-field.tsx";
import { ownershipCopy as copy } from "#app/copy/settings.ts";
import { type Proof, ProofDialog } from "./proof-dialog.tsx";
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
  const [chosen, setChosen] = useState("");
  if (!isOpen && chosen !== "") setChosen("");
  const heir = joined.find(({ sub }) => sub === chosen);
  async function handOver(proof: Proof) {
    if (!heir) return;
    const answer = await ask("POST user/hand-over-ownership", { targetUserSub: heir.sub, ...proof });
    // Everything around the page is another for a member.
    if (answer) window.location.assign("/settings");
  }
  return (
    <ProofDialog
      isOpen={isOpen}
      onClose={onClose}
      title={copy.open}
      text={copy.dialog}
      confirm={copy.confirm}
      isReady={heir !== undefined}
      onConfirm={handOver}
    >
      <SelectField label={copy.heir} value={chosen} onChange={({ target }) => setChosen(target.value)}>
        <option value="">{copy.choose}</option>
        {joined.map((user) => (
          <option key={user.sub} value={user.sub}>
            {wordsOf(user)}
          </option>
        ))}
      </SelectField>
    </ProofDialog>
  );
}

function wordsOf({ name, family_name, email }: InvitedUser): string {
  return `${[name, family_name].filter(Boolean).join(" ")} (${email})`;
}
