import { auditStatement } from "#core/audit/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { Clock } from "#core/kernel/clock.ts";
import type { IdSource } from "#core/kernel/ids.ts";
import type { Member } from "./member.ts";
import { updateOrganisation } from "./organisation.store.ts";
import { requireOwner } from "./require-owner.ts";

type ChangeDeps = { control: ControlDatabase; clock: Clock; ids: IdSource };

/**
 * Sets the organisation's name, validated by `organisationNameSchema`.
 * @throws AppError `err.role.forbidden`
 */
export async function setOrganisationName(
  deps: ChangeDeps,
  owner: Member,
  { name }: { name: string },
): Promise<void> {
  await change(deps, owner, { name }, { action: "set-organisation-name", subject: name });
}

/**
 * Sets whether the account belongs to a person or an organisation (spec part 1 section 1).
 * @throws AppError `err.role.forbidden`
 */
export async function setAccountType(
  deps: ChangeDeps,
  owner: Member,
  { accountType }: { accountType: "User" | "Organization" },
): Promise<void> {
  await change(deps, owner, { accountType }, { action: "set-account-type", subject: accountType });
}

async function change(
  deps: ChangeDeps,
  owner: Member,
  fields: Parameters<typeof updateOrganisation>[2],
  told: { action: string; subject: string },
): Promise<void> {
  requireOwner(owner);
  const { organisationId, userId, name: userName } = owner;
  await deps.control.batch([
    updateOrganisation(deps.control, organisationId, fields),
    auditStatement(deps, { organisationId, userId, userName, ...told }),
  ]);
}
