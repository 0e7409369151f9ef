import { useSearchParams } from "@remix-run/react";
import { ChevronDown, CircleUser } from "lucide-react";
import { type AccountPerson, shortened } from "#app/accounts/account-person.ts";
import { Button } from "#app/components/button.tsx";
import { Menu } from "#app/components/menu.tsx";
import { itemsCopy as copy } from "#app/copy/items.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { accountSearch } from "./list-query.ts";
import type { AccountChoice, ItemListPage } from "./queries.server.ts";

const wordOf = (platform: string) => descriptors.find(({ id }) => id === platform)?.accountWord;

/** One account is selected only where accounts are people (spec P-014). */
export function hasAccountSelect({ platform, accounts }: Pick<ItemListPage, "platform" | "accounts">) {
  return accounts.length > 1 || (accounts.length > 0 && wordOf(platform) !== undefined);
}

/** Selects the account whose list is shown, with its person where the platform names one. */
export function AccountSelect({ page }: { page: ItemListPage }) {
  const [search, setSearch] = useSearchParams();
  const { accounts, connection } = page;
  if (!hasAccountSelect(page)) return null;
  const word = wordOf(page.platform) ?? copy.account;
  const shown = accounts.find(({ id }) => id === connection.id);
  const options = accounts.map((account) => ({
    value: account.id,
    label: <Option account={account} isTwin={hasTwin(account, accounts)} />,
  }));
  return (
    <Menu
      entries={[
        {
          kind: "choice",
          label: word,
          value: connection.id,
          options,
          onChoose: (id) => setSearch(accountSearch(search, id)),
        },
      ]}
      trigger={
        <Button className="place-select" aria-label={`${word}: ${connection.name}`}>
          <CircleUser aria-hidden />
          {shown?.person ? (
            <PersonName person={shown.person} />
          ) : (
            <span className="clip">{connection.name}</span>
          )}
          <ChevronDown aria-hidden />
        </Button>
      }
    />
  );
}

/** True when another account has the same name, so that only the workspace tells them apart. */
const hasTwin = ({ id, name }: AccountChoice, accounts: readonly AccountChoice[]) =>
  accounts.some((each) => each.id !== id && each.name === name);

function Option({
  account: { name, person, needsCare },
  isTwin,
}: {
  account: AccountChoice;
  isTwin: boolean;
}) {
  return (
    <>
      {person ? <PersonName person={person} /> : name}
      {isTwin && person?.workspace && <span className="soft"> {person.workspace}</span>}
      {needsCare && <span className="soft"> {copy.needsCare}</span>}
    </>
  );
}

/** Username and e-mail, each cut; their whole texts are the tooltip (spec P-134). */
function PersonName({ person: { username, email } }: { person: AccountPerson }) {
  return (
    <span className="clip" title={email === null ? username : `${username}, ${email}`}>
      {shortened(username)}
      {email !== null && <span className="soft"> {shortened(email)}</span>}
    </span>
  );
}
