import { isAdf, mediaIdsOf, plainText } from "./adf.ts";
import { mediaIdOf } from "./files.ts";
import type { Issue, Site } from "./state.ts";

/** Texts end at this many characters. */
const LONGEST_TEXT = 32_767;

/**
 * Why Jira does not take a document for an issue, in its words; null = it does. Files that a document shows must be
 * attached to the issue, so that a new issue can show none.
 */
export function problemOf(site: Site, issue: Issue | null, document: unknown): string | null {
  if (!isAdf(document)) return "INVALID_INPUT";
  if (plainText(document).length > LONGEST_TEXT) {
    return "The entered text is too long. It exceeds the allowed limit of 32,767 characters.";
  }
  const attached = new Set((issue?.attachments ?? []).map((one) => mediaIdOf(one, site.cloudId)));
  return mediaIdsOf(document).every((id) => attached.has(id)) ? null : "ATTACHMENT_VALIDATION_ERROR";
}
