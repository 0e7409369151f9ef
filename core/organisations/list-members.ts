import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { Member } from "./member.ts";
import { listMemberRows } from "./organisation.store.ts";

/** Lists all members of an organisation, its owner first. Nobody is a member of a closed account. */
export async function listMembers(
  deps: { control: ControlDatabase },
  organisationId: string,
): Promise<Member[]> {
  return listMemberRows(deps.control, organisationId);
}
