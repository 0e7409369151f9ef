import { z } from "zod";
import type { Region } from "#core/kernel/platform-id.ts";
import { REGIONS } from "#core/kernel/platform-id.ts";
import type { Uses } from "#core/services.ts";

/*
 * A deletion leaves a mark in the bucket: `erased/{organisation}`, `erased/{organisation}/{item}` or
 * `erased/{organisation}/{item}/{version}/{request}`. It names ids and nothing else, is not encrypted (the key of a
 * closed account is gone), and stays: it must outlive every copy of a database from which the deleted thing could come
 * back.
 */
const PREFIX = "erased/";

const versionSchema = z.object({
  id: z.string(),
  runId: z.string(),
  takenAt: z.int(),
  expiresAt: z.int(),
});
/** A later version that shows the same state as the erased one. */
export type SameState = z.output<typeof versionSchema>;
const markSchema = z.object({ erasedAt: z.int(), shownBy: versionSchema.nullable().default(null) });

/** Marks a whole organisation, in every region, before its key goes. */
export async function markOrganisationErased(
  s: Uses<"clock" | "bucket">,
  organisationId: string,
): Promise<void> {
  for (const region of REGIONS) await put(s, region, `${PREFIX}${organisationId}`);
}

/** Marks an item, before the first of its objects goes. */
export async function markItemErased(
  s: Uses<"clock" | "bucket">,
  { region, organisationId, itemId }: { region: Region; organisationId: string; itemId: string },
): Promise<void> {
  await put(s, region, `${PREFIX}${organisationId}/${itemId}`);
}

/**
 * Marks one version, before its row goes. Its state may be that of other versions, which stay: the mark names the next of
 * them, because no object describes the state once more. Each request has a mark of its own: one that is refused takes
 * back its own, never that of another that erased the version meanwhile.
 *
 * @returns The mark, for `unmarkVersionErased`.
 */
export async function markVersionErased(
  s: Uses<"clock" | "ids" | "bucket">,
  region: Region,
  version: { organisationId: string; itemId: string; snapshotId: string; shownBy: SameState | null },
): Promise<string> {
  const { organisationId, itemId, snapshotId, shownBy } = version;
  const mark = `${PREFIX}${organisationId}/${itemId}/${snapshotId}/${s.ids.next("request")}`;
  await put(s, region, mark, shownBy);
  return mark;
}

/** Takes a request's mark back, when it could not erase the version. */
export async function unmarkVersionErased(s: Uses<"bucket">, region: Region, mark: string): Promise<void> {
  await s.bucket(region).delete(mark);
}

async function put(
  s: Uses<"clock" | "bucket">,
  region: Region,
  key: string,
  shownBy: SameState | null = null,
): Promise<void> {
  await s.bucket(region).put(key, JSON.stringify({ erasedAt: s.clock.now(), shownBy }));
}

/** What was erased of an organisation. */
export type Erased = {
  isWhole: boolean;
  items: ReadonlySet<string>;
  /** By the version's id. */
  versions: ReadonlyMap<string, ErasedVersion>;
};
export type ErasedVersion = { itemId: string; erasedAt: number; shownBy: SameState | null };

/**
 * Reads the marks of an organisation. A damaged mark still erases; what it said of other versions is lost. Of several
 * marks of a version the newest counts. Marks of earlier releases name no request.
 */
export async function readErased(bucket: R2Bucket, organisationId: string): Promise<Erased> {
  const whole = `${PREFIX}${organisationId}`;
  const items = new Set<string>();
  const versions = new Map<string, ErasedVersion>();
  for (let cursor: string | undefined; ; ) {
    const page: R2Objects = await bucket.list({ prefix: `${whole}/`, ...(cursor ? { cursor } : {}) });
    for (const { key, uploaded } of page.objects) {
      const [itemId = "", snapshotId] = key.slice(whole.length + 1).split("/");
      if (snapshotId === undefined) {
        items.add(itemId);
        continue;
      }
      const mark = await readMark(bucket, key, uploaded.getTime());
      const other = versions.get(snapshotId);
      if (!other || mark.erasedAt > other.erasedAt) versions.set(snapshotId, { itemId, ...mark });
    }
    if (!page.truncated) break;
    cursor = page.cursor;
  }
  return { isWhole: (await bucket.head(whole)) !== null, items, versions };
}

async function readMark(bucket: R2Bucket, key: string, uploadedAt: number) {
  const text = await (await bucket.get(key))?.text();
  try {
    return markSchema.parse(JSON.parse(text ?? ""));
  } catch {
    return { erasedAt: uploadedAt, shownBy: null };
  }
}

/** True for keys of marks. */
export const isMark = (key: string): boolean => key.startsWith(PREFIX);
