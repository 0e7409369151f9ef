import { Check, Mail, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { useRequest } from "#app/api/use-request.ts";
import { Button } from "#app/components/button.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { DialogButtons } from "#app/components/dialog-buttons.tsx";
import { IconButton } from "#app/components/icon-button.tsx";
import { PlatformMark } from "#app/components/platform-mark.tsx";
import { usersCopy as copy } from "#app/copy/settings.ts";
import { grantablePlatforms } from "./grantable-platforms.ts";
import { rightsOf } from "./rights.ts";
import type { InvitedUser, InvitedUsers } from "./wire-types.ts";

/** The invited users: their names, sign-up status and rights (spec ). */
export function UserList({
  users,
  onEdit,
  onRemove,
}: {
  users: InvitedUsers | null;
  onEdit: (user: InvitedUser) => void;
  onRemove: (user: InvitedUser) => Promise<boolean>;
}) {
  const [leaving, setLeaving] = useState<InvitedUser | null>(null);
  if (!users) return null;
  const { organization_users: list, invitations_left } = users;
  const { columns } = copy;
  return (
    <section className="section" aria-labelledby="users">
      <div className="section-head">
        <h2 id="users">{copy.users}</h2>
        <span className="meta">{copy.seats(list.length, list.length + invitations_left)}</span>
      </div>
      {list.length === 0 ? (
        <p className="settings-fact">{copy.empty}</p>
      ) : (
        <table className="data-table user-table">
          <thead>
            <tr>
              <th scope="col">{columns.name}</th>
              <th scope="col" className="u-state">
                {columns.status}
              </th>
              <th scope="col">{columns.rights}</th>
              <th scope="col" className="u-act">
                {columns.actions}
              </th>
            </tr>
          </thead>
          <tbody>
            {list.map((user) => (
              <UserRow
                key={user.sub}
                user={user}
                onEdit={() => onEdit(user)}
                onRemove={() => setLeaving(user)}
              />
            ))}
          </tbody>
        </table>
      )}
      <RemoveDialog user={leaving} onClose={() => setLeaving(null)} onRemove={onRemove} />
    </section>
  );
}

function UserRow({
  user,
  onEdit,
  onRemove,
}: {
  user: InvitedUser;
  onEdit: () => void;
  onRemove: () => void;
}) {
  const name = nameOf(user);
  const who = name ?? user.email;
  return (
    <tr>
      <td className="u-name">
        <span className="item-name">
          <span className="item-name__top">
            <span className="clip">{who}</span>
          </span>
          {name && <span className="item-name__desc clip">{user.email}</span>}
        </span>
      </td>
      <td className="u-state">
        {name ? (
          <span className="status-badge">
            <Check className="ok-t" aria-hidden />
            {copy.states.active}
          </span>
        ) : (
          <span className="badge">
            <Mail aria-hidden />
            {copy.states.invited}
          </span>
        )}
      </td>
      <td className="u-rights">
        <RightsChips roles={user.roles} />
      </td>
      <td className="u-act">
        <span className="row-actions">
          <Button size="s" aria-label={copy.showOf(who)} onClick={onEdit}>
            {copy.show}
          </Button>
          <IconButton label={copy.removeOf(who)} onClick={onRemove}>
            <Trash2 aria-hidden />
          </IconButton>
        </span>
      </td>
    </tr>
  );
}

function RightsChips({ roles }: { roles: readonly string[] }) {
  const rights = rightsOf(roles);
  const given = grantablePlatforms.filter(({ id }) => rights[id]);
  if (given.length === 0) return <span className="meta">{copy.noRights}</span>;
  return (
    <ul className="rights-chips">
      {given.map(({ id, name }) => (
        <li key={id}>
          <PlatformMark platform={id} />
          <span className="sr">{name}: </span>
          {copy.rightsLabel[rights[id] ?? "user"]}
        </li>
      ))}
    </ul>
  );
}

/** Given and family name; null before sign-up (spec ). */
function nameOf({ name, family_name }: InvitedUser): string | null {
  return [name, family_name].filter(Boolean).join(" ") || null;
}

/** Confirms that a user's access is removed (spec ). */
function RemoveDialog({
  user,
  onClose,
  onRemove,
}: {
  user: InvitedUser | null;
  onClose: () => void;
  onRemove: (user: InvitedUser) => Promise<boolean>;
}) {
  const { isBusy, send } = useRequest();
  const last = useRef(user);
  if (user) last.current = user;
  async function remove() {
    if (!user || isBusy) return;
    await send(() => onRemove(user));
    onClose();
  }
  const shown = last.current;
  return (
    <Dialog
      isOpen={user !== null}
      onClose={onClose}
      title={copy.removeTitle}
      description={copy.removeAsk}
      footer={
        <DialogButtons
          variant="bad"
          label={copy.remove}
          isBusy={isBusy}
          onConfirm={remove}
          onClose={onClose}
        />
      }
    >
      <p>{shown && copy.removeText(nameOf(shown) ?? shown.email)}</p>
    </Dialog>
  );
}
