import { createHash } from "node:crypto";
import type { NotionState } from "./state.ts";

/** Makes a UUID as Notion's: what was made together begins alike. The order of making decides it, so seeds repeat. */
export function newId(state: NotionState): string {
  state.counter += 1;
  const hash = createHash("sha256").update(`notion ${state.counter}`).digest("hex");
  return dashed(`393abc1eedcd81${hash.slice(0, 18)}`);
}

/**
 * A UUID with dashes and in lower case; null = it is no UUID. The API takes both forms (`@notionhq/client`
 * `extractNotionId`) and answers with dashes (recordings).
 */
export function readId(text: string): string | null {
  const plain = text.toLowerCase().replaceAll("-", "");
  return /^[0-9a-f]{32}$/.test(plain) ? dashed(plain) : null;
}

/** The form without dashes, for web addresses. */
export const plainId = (id: string): string => id.replaceAll("-", "");

function dashed(plain: string): string {
  return [
    plain.slice(0, 8),
    plain.slice(8, 12),
    plain.slice(12, 16),
    plain.slice(16, 20),
    plain.slice(20),
  ].join("-");
}
