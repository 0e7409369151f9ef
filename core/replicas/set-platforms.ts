import { recordActions } from "#core/audit/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { REGIONS } from "#core/kernel/platform-id.ts";
import type { Member } from "#core/organisations/index.ts";
import type { RightServices, Uses } from "#core/services.ts";
import { forgetUnmade } from "./replica.store.ts";
import { storageRights } from "./rights.ts";
import { findStorageRow, savePlatforms } from "./storage.store.ts";

/** Two people may change the list at the same moment; retry so that neither change is lost. */
const TRIES = 5;

/**
 * Sets the platforms whose later versions are copied (spec P-407). Platforms not given stay unchanged. Finished copies
 * are kept; unfinished ones are given up with their platform.
 *
 * @param input By platform, the kinds of storage: none, or the connected one.
 * @throws AppError `err.storage.missing`, `err.storage.connected` for another kind of storage, `err.platform.unknown`,
 *   `err.role.forbidden`, `err.plan.required`
 */
export async function setCopiedPlatforms(
  s: RightServices & Uses<"ids" | "ledger">,
  member: Member,
  input: Readonly<Record<string, readonly string[]>>,
): Promise<{ platforms: string[] }> {
  const rights = await storageRights(s, member);
  for (const platform of Object.keys(input)) {
    if (!s.connectors.has(platform)) throw new AppError("err.platform.unknown");
  }
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const row = await findStorageRow(s.control, member.organisationId);
    if (!row) throw new AppError("err.storage.missing");
    const isOther = Object.values(input).some((kinds) => kinds.some((kind) => kind !== row.kind));
    if (isOther) throw new AppError("err.storage.connected");
    const wanted = new Set(row.platforms);
    for (const [platform, kinds] of Object.entries(input)) {
      if (kinds.length > 0) wanted.add(platform);
      else wanted.delete(platform);
    }
    const added = [...wanted].filter((platform) => !row.platforms.includes(platform));
    const dropped = row.platforms.filter((platform) => !wanted.has(platform));
    const isTheirs = [...added, ...dropped].every((platform) => rights.managed.includes(platform));
    if (!isTheirs) throw new AppError("err.role.forbidden");
    if (!added.every((platform) => rights.usable.includes(platform))) throw new AppError("err.plan.required");
    const platforms = [...wanted].sort();
    if (!(await savePlatforms(s.control, { id: row.id, from: row.platforms, to: platforms }))) continue;
    for (const region of dropped.length > 0 ? REGIONS : [])
      await forgetUnmade(s.ledger(region, row.organisationId), row.id, dropped);
    const by = { organisationId: member.organisationId, userId: member.userId, userName: member.name };
    await recordActions(s, [
      ...added.map((platform) => ({ ...by, platform, action: "copy-platform", subject: row.name })),
      ...dropped.map((platform) => ({ ...by, platform, action: "stop-copying-platform", subject: row.name })),
    ]);
    return { platforms };
  }
  throw new AppError("err.internal");
}
