import type { ConnectorConfig } from "#connectors/contract/platform-connector.ts";
import { type Dialect, type Origin, quoteOriginal, ZERO_WIDTH } from "#connectors/toolkit/records/quote.ts";
import { webBase } from "../client.ts";

/** GitLab refuses longer descriptions and notes. */
const LONGEST_BODY = 1_000_000;

/**
 * Rules that defuse GitLab texts: `@user` sends a notification, `group/project#12` and URLs add a "mentioned in" note
 * to the other thing, and GitLab runs a line that begins with `/` as a quick action.
 */
export function gitlabDialect(config: ConnectorConfig): Dialect {
  const base = webBase(config);
  const escaped = base.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  // GitLab treats a URL without its scheme as plain text.
  const quiet = base.replace(/^https?:\/\//, "");
  return {
    maxLength: LONGEST_BODY,
    quietUrl: (url) => url.replace(base, quiet),
    quietPatterns: [
      { pattern: new RegExp(`${escaped}(?=/)`, "g"), replacement: quiet },
      { pattern: /(^|[^\w/`@])@(?=\w)/g, replacement: `$1@${ZERO_WIDTH}` },
      // Matches the sign first and looks behind it, so long words do not cause backtracking.
      { pattern: /(?<=[\w.-]\/[\w.-]+)([#@!$&])(?=[\da-f])/gi, replacement: `$1${ZERO_WIDTH}` },
      { pattern: /^([ \t]*)\/(?=[a-z])/gim, replacement: `$1${ZERO_WIDTH}/` },
    ],
  };
}

/** A restored text with its origin on top. */
export function quoteGitlab(config: ConnectorConfig, origin: Origin, body: string | null): string {
  return quoteOriginal(origin, body, gitlabDialect(config)).text;
}
