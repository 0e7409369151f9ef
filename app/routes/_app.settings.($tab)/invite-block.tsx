import { Button } from "#app/components/button.tsx";
import { usersCopy as copy } from "#app/copy/settings.ts";
import { useSettings } from "./settings-context.tsx";
import type { InvitedUsers } from "./wire-types.ts";

/** How many more users can be invited, and the button that opens the form (spec ). */
export function InviteBlock({
  users,
  isFormOpen,
  onInvite,
}: {
  users: InvitedUsers | null;
  isFormOpen: boolean;
  onInvite: () => void;
}) {
  const { me } = useSettings();
  return (
    <>
      <div className="section-head">
        <h2 id="send-invitation">{copy.invite}</h2>
        {users && <Seats users={users} />}
      </div>
      {!isFormOpen && (
        <div className="invite-block">
          <p className="soft">{copy.inviteText}</p>
          <Button variant="solid" reason={reasonNotToInvite(users, me.organization_name)} onClick={onInvite}>
            {copy.open}
          </Button>
        </div>
      )}
    </>
  );
}

/** Why nobody can be invited (spec ). */
function reasonNotToInvite(users: InvitedUsers | null, name: string | null): string | null {
  if (!name) return copy.nameFirst;
  return users && users.invitations_left <= 0 ? copy.noneLeft : null;
}

function Seats({ users }: { users: InvitedUsers }) {
  const used = users.organization_users.length;
  const all = used + users.invitations_left;
  return (
    <div className="seats">
      <span className="seats__row" role="img" aria-label={copy.seatsUsed(used, all)}>
        {Array.from({ length: all }, (_, seat) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: -- a seat is identified by its index
          <i key={seat} className={seat < used ? "is-taken" : undefined} />
        ))}
      </span>
      <p className="meta">
        <b className="medium">{copy.seats(users.invitations_left, all)}</b> {copy.seatsLeft}
      </p>
    </div>
  );
}
