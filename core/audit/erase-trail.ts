import type { ControlDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";
import { sealAudit } from "./seal-entries.ts";

/** Names a person, or what they touched. */
const IS_PERSONAL = `(user_id IS NOT NULL OR user_name <> '' OR subject IS NOT NULL OR occasion IS NOT NULL OR ip IS NOT NULL)`;
/** The oldest entries of the organisation that are personal and in the chain. */
const CHOSEN = `SELECT id FROM audit_entry WHERE organisation_id = ?1 AND ${IS_PERSONAL}
  AND EXISTS (SELECT 1 FROM audit_seal WHERE entry_id = audit_entry.id) ORDER BY created_at, id LIMIT ?2`;

/**
 * Erases the personal fields of an organisation's trail, for a limited number of entries. Entries, times and the chain stay,
 * and so does the proof that nothing was changed: the salt goes with the fields, so that their hash says nothing.
 * @returns true when nothing personal is left
 */
export async function eraseTrail(
  { control }: { control: ControlDatabase },
  { organisationId, limit }: { organisationId: string; limit: number },
): Promise<boolean> {
  // Only what is in the chain may be erased: before that, an entry is hashed as it stands.
  await sealAudit({ control });
  const [, , left] = await commitTogether(control, [
    statement(
      control,
      `UPDATE audit_seal SET salt = NULL WHERE entry_id IN (${CHOSEN})`,
      organisationId,
      limit,
    ),
    statement(
      control,
      `UPDATE audit_entry SET user_id = NULL, user_name = '', subject = NULL, occasion = NULL, ip = NULL
       WHERE id IN (${CHOSEN})`,
      organisationId,
      limit,
    ),
    statement(
      control,
      `SELECT 1 FROM audit_entry WHERE organisation_id = ?1 AND ${IS_PERSONAL} LIMIT 1`,
      organisationId,
    ),
  ]);
  return (left?.results.length ?? 0) === 0;
}
