import type { ControlDatabase } from "#core/database/ledgers.ts";
import { randomBytes, toHex } from "#core/kernel/crypto.ts";
import type { AuditRow } from "./audit.store.ts";
import { appendSeals, type ChainHead, readWaiting, type SealRow } from "./chain.store.ts";
import { CHAIN_START, linkHashOf, payloadHashOf, personalHashOf } from "./seal.ts";

/** Entries that one batch appends. */
const AT_ONCE = 200;
/** Batches of one tick. What is left waits for the next. */
const BATCHES = 25;
const SALT_BYTES = 16;

/**
 * Appends the waiting entries to the chain, in the order of their commits. Writers only add their entry, in their own
 * batch, so none of them waits for the chain and none can fork it. Two ticks at once append each entry once.
 * @returns the number of entries that were appended
 */
export async function sealAudit({ control }: { control: ControlDatabase }): Promise<number> {
  let count = 0;
  for (let batch = 0; batch < BATCHES; batch++) {
    const { head, entries } = await readWaiting(control, AT_ONCE);
    if (entries.length === 0) break;
    const end = head ?? { seq: 0, hash: CHAIN_START };
    const isWritten = await appendSeals(control, end.seq, await sealsOf(end, entries));
    // Another tick is appending.
    if (!isWritten) break;
    count += entries.length;
    if (entries.length < AT_ONCE) break;
  }
  return count;
}

async function sealsOf(end: ChainHead, entries: readonly AuditRow[]): Promise<SealRow[]> {
  const seals: SealRow[] = [];
  let { seq, hash } = end;
  for (const entry of entries) {
    seq++;
    const salt = toHex(randomBytes(SALT_BYTES));
    const personalHash = await personalHashOf(entry, salt);
    const payloadHash = await payloadHashOf(entry, personalHash);
    hash = await linkHashOf(hash, seq, payloadHash);
    seals.push({ seq, entryId: entry.id, salt, personalHash, payloadHash, hash });
  }
  return seals;
}
