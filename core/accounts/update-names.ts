import { auditStatement } from "#core/audit/index.ts";
import type { Member } from "#core/organisations/index.ts";
import type { AccountsDeps } from "./deps.ts";
import type { Names } from "./password.schema.ts";
import { isCalledOtherwise, replaceNames } from "./people.store.ts";

/** Changes a person's names. If they differ, the audit trail records the old and the new ones. */
export async function updateNames(
  deps: Pick<AccountsDeps, "control" | "clock" | "ids">,
  member: Pick<Member, "userId" | "organisationId" | "name">,
  { name, familyName }: Names,
): Promise<void> {
  const { userId, organisationId } = member;
  const names = { userId, name, familyName };
  const entry = {
    organisationId,
    userId,
    userName: member.name,
    action: "change-profile",
    subject: `${name} ${familyName}`,
  };
  await deps.control.batch([
    auditStatement(deps, entry, isCalledOtherwise(names)),
    replaceNames(deps.control, { ...names, now: deps.clock.now() }),
  ]);
}
