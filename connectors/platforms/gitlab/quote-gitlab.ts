import type { ConnectorConfig } from "#connectors/contract/platform-connector.ts";
import { type Dialect, type Origin, quoteOriginal, ZERO_WIDTH } from "#connectors/toolkit/records/quote.ts";
import { webBase } from "./client.ts";

/** GitLab refuses longer descriptions and notes. */
const LONGEST_BODY = 1_000_000;

/**
 * Texts of GitLab made silent: `@user` notifies, `group/project#12` and addresses of things write "mentioned in" into
 * the other history, and a line that begins with `/` is a quick action that GitLab would carry out.
 */
export function gitlabDialect(config: ConnectorConfig): Dialect {
  const base = webBase(config);
  const escaped = base.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  // Without its scheme an address is plain text to GitLab.
  const quiet = base.replace(/^https?:\/\//, "");
  return {
    maxLength: LONGEST_BODY,
    quietUrl: (url) => url.replace(base, quiet),
    quietPatterns: [
      { pattern: new RegExp(`${escaped}(?=/)`, "g"), replacement: quiet },
      { pattern: /(^|[^\w/`@])@(?=\w)/g, replacement: `$1@${ZERO_WIDTH}` },
      // Looked at from the mark backwards, so that each character is read once however long a word is.
      { pattern: /(?<=[\w.-]\/[\w.-]+)([#@!$&])(?=[\da-f])/gi, replacement: `$1${ZERO_WIDTH}` },
      { pattern: /^([ \t]*)\/(?=[a-z])/gim, replacement: `$1${ZERO_WIDTH}/` },
    ],
  };
}

/** A restored text of GitLab with its origin on top. */
export function quoteGitlab(config: ConnectorConfig, origin: Origin, body: string | null): string {
  return quoteOriginal(origin, body, gitlabDialect(config)).text;
}
