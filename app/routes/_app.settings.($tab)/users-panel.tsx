import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { notify } from "#app/components/toasts.ts";
import { usersCopy as copy } from "#app/copy/settings.ts";
import type { FormAim } from "./invitation-form.tsx";
import { InviteBlock } from "./invite-block.tsx";
import { OrganisationName } from "./organisation-name.tsx";
import { OwnershipSection } from "./ownership-section.tsx";
import { RightsHelp } from "./rights-help.tsx";
import { useSettings } from "./settings-context.tsx";
import { UserList } from "./user-list.tsx";
import type { InvitedUser, InvitedUsers } from "./wire-types.ts";

/* Contains the logos of every platform, so it is loaded on the first invitation. */
const InvitationForm = lazy(async () => {
  const { InvitationForm } = await import("./invitation-form.tsx");
  return { default: InvitationForm };
});

/** The organisation's name, its invitations and its users (spec ). Only for owners. */
export function UsersPanel({ loaded }: { loaded: InvitedUsers | null }) {
  const { ask, refreshMe } = useSettings();
  const { users, refresh } = useInvitedUsers(loaded);
  const [aim, setAim] = useState<FormAim | null>(null);

  async function submit(email: string, roles: string[]): Promise<boolean> {
    const answer =
      aim?.kind === "edit"
        ? await ask("PUT user/organization-user", { targetUserSub: aim.user.sub, roles })
        : await ask("POST user/organization-user", { email, roles });
    if (!answer) return false;
    notify(aim?.kind === "edit" ? copy.updated : copy.invited);
    setAim(null);
    await Promise.all([refresh(), refreshMe()]);
    return true;
  }
  async function remove(user: InvitedUser): Promise<boolean> {
    const body = { targetUserSub: user.sub };
    if (!(await ask("DELETE user/organization-user", body))) return false;
    notify(copy.removed);
    if (aim?.kind === "edit" && aim.user.sub === user.sub) setAim(null);
    await Promise.all([refresh(), refreshMe()]);
    return true;
  }
  return (
    <>
      <OrganisationName />
      <div className="grid-invite">
        <section aria-labelledby="send-invitation">
          <InviteBlock users={users} isFormOpen={aim !== null} onInvite={() => setAim({ kind: "create" })} />
          {aim && (
            <Suspense fallback={null}>
              <InvitationForm
                key={aim.kind === "edit" ? aim.user.sub : "create"}
                aim={aim}
                onSubmit={submit}
                onCancel={() => setAim(null)}
              />
            </Suspense>
          )}
        </section>
        {aim && <RightsHelp />}
      </div>
      <UserList users={users} onEdit={(user) => setAim({ kind: "edit", user })} onRemove={remove} />
      <OwnershipSection users={users} />
    </>
  );
}

/** The invited users. Loaded here when the page came without them, and again after every change. */
function useInvitedUsers(loaded: InvitedUsers | null) {
  const { read } = useSettings();
  const { data, refetch } = useQuery({
    queryKey: ["invited-users"],
    queryFn: () => read("GET user/organization-users", {}),
    initialData: loaded ?? undefined,
    refetchOnMount: false,
  });
  return { users: data ?? null, refresh: refetch };
}
