import { z } from "zod";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import { canonicalJson } from "#core/kernel/canonical-json.ts";
import type { Clock } from "#core/kernel/clock.ts";
import { sha256Hex } from "#core/kernel/crypto.ts";
import { REGIONS, type Region } from "#core/kernel/platform-id.ts";
import { findHead } from "./chain.store.ts";

/** Where the chain ended on one day (UTC). */
export type Anchor = { date: string; seq: number; hash: string };

type AnchorDeps = { control: ControlDatabase; clock: Clock; bucket: (region: Region) => R2Bucket };

const PREFIX = "audit/anchors/";
/** Anchors hold hashes only, no person's data, so one region keeps them. */
const REGION = REGIONS[0];

const anchorSchema = z.strictObject({ date: z.string(), seq: z.int().min(1), hash: z.string() });

/**
 * Writes where the chain ends into the vault, once a day. The object is named for the hash of its content. So a chain
 * that is rewritten or cut off in the database no longer ends where the vault says.
 */
export async function anchorAudit({ control, clock, bucket }: AnchorDeps): Promise<void> {
  const date = new Date(clock.now()).toISOString().slice(0, 10);
  const { objects } = await bucket(REGION).list({ prefix: `${PREFIX}${date}/`, limit: 1 });
  if (objects.length > 0) return;
  const head = await findHead(control);
  if (head === null) return;
  const text = canonicalJson({ date, seq: head.seq, hash: head.hash } satisfies Anchor);
  await bucket(REGION).put(`${PREFIX}${date}/${await sha256Hex(text)}`, text);
}

/** An object among the anchors whose content does not belong to its name. */
export type BrokenAnchor = { key: string };

/** Reads every anchor, oldest first. Names the first object whose content was changed. */
export async function listAnchors({
  bucket,
}: Pick<AnchorDeps, "bucket">): Promise<{ anchors: Anchor[]; broken: BrokenAnchor | null }> {
  const anchors: Anchor[] = [];
  let cursor: string | undefined;
  do {
    const page = await bucket(REGION).list({ prefix: PREFIX, cursor });
    for (const { key } of page.objects) {
      const text = await bucket(REGION)
        .get(key)
        .then((object) => object?.text() ?? "");
      const anchor = await readAnchor(key, text);
      if (anchor === null) return { anchors, broken: { key } };
      anchors.push(anchor);
    }
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor !== undefined);
  return { anchors, broken: null };
}

async function readAnchor(key: string, text: string): Promise<Anchor | null> {
  if ((await sha256Hex(text)) !== key.slice(key.lastIndexOf("/") + 1)) return null;
  const parsed = anchorSchema.safeParse(JSON.parse(text));
  return parsed.success && key.startsWith(`${PREFIX}${parsed.data.date}/`) ? parsed.data : null;
}
