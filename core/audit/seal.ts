import { canonicalJson } from "#core/kernel/canonical-json.ts";
import { sha256Hex } from "#core/kernel/crypto.ts";
import type { AuditRow } from "./audit.store.ts";

/** The hash before the first link. */
export const CHAIN_START = "0".repeat(64);

/** The fields of an entry that name a person or what they touched. Only they may be erased. */
const personalOf = ({ userId, userName, subject, occasion, ip }: AuditRow) => ({
  userId,
  userName,
  subject,
  occasion,
  ip,
});

/** True when all personal fields are gone. */
export function isErased(row: AuditRow): boolean {
  return Object.values(personalOf(row)).every((value) => value === null || value === "");
}

/** The hash of an entry's personal fields. The salt keeps it from being found out by trying names. */
export function personalHashOf(row: AuditRow, salt: string): Promise<string> {
  return sha256Hex(canonicalJson([salt, personalOf(row)]));
}

/** The hash of an entry. It contains the personal fields only as their hash, so it outlives their erasure. */
export function payloadHashOf(row: AuditRow, personalHash: string): Promise<string> {
  const { id, organisationId, action, platform, createdAt, outcome, versionId, versionTakenAt } = row;
  const facts = {
    ...{ id, organisationId, action, platform, createdAt, outcome, versionId },
    // Entries from before the field was recorded keep their hash.
    ...(versionTakenAt === null ? null : { versionTakenAt }),
  };
  return sha256Hex(canonicalJson([facts, personalHash]));
}

/** The hash of a link: of the link before it, its place, and its entry. */
export function linkHashOf(previous: string, seq: number, payloadHash: string): Promise<string> {
  return sha256Hex(canonicalJson([previous, seq, payloadHash]));
}
