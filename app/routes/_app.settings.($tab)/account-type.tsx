import { useState } from "react";
import { notify } from "#app/components/toasts.ts";
import { detailsCopy as copy, settingsCopy } from "#app/copy/settings.ts";
import { ChoiceCards } from "./choice-cards.tsx";
import { Section } from "./section.tsx";
import { useSettings } from "./settings-context.tsx";
import type { Me } from "./wire-types.ts";

const TYPES = ["User", "Organization"] as const;

/** Whether the owner works alone or with invited members. Saved at once. */
export function AccountType() {
  const { me, ask, refreshMe } = useSettings();
  const [wanted, setWanted] = useState<Me["account_type"] | null>(null);
  async function choose(account_type: Me["account_type"]) {
    if (wanted || account_type === me.account_type) return;
    setWanted(account_type);
    if (await ask("PUT user/account-type", { account_type })) {
      notify(settingsCopy.saved);
      await refreshMe();
    }
    setWanted(null);
  }
  return (
    <Section title={copy.accountType}>
      <ChoiceCards
        name="account-type"
        label={copy.accountType}
        value={wanted ?? me.account_type}
        choices={TYPES.map((type) => ({ id: type, ...copy.types[type] }))}
        onChoose={choose}
      />
    </Section>
  );
}
