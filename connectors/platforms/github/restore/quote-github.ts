import type { ConnectorConfig } from "#connectors/contract/platform-connector.ts";
import { type Dialect, type Origin, quoteOriginal, ZERO_WIDTH } from "#connectors/toolkit/records/quote.ts";
import { webBase } from "../client.ts";

/** Longest body of an issue, comment or release. GitHub refuses longer ones with 422 and names this limit. */
const LONGEST_BODY = 65_536;
/** GitHub's own redirect host. Links through it leave no trace at their target. */
const QUIET_HOST = "https://redirect.github.com";

/**
 * Silences GitHub texts. `@login` and `@organisation/team` send notifications. `owner/name#12`, `owner/name@commit` and
 * URLs of issues, pull requests, discussions and commits add "mentioned this" to the other history.
 */
export function githubDialect(config: ConnectorConfig): Dialect {
  const base = webBase(config);
  const escaped = base.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  // A self-hosted server has no redirect host. Without its scheme, a URL is plain text.
  const quiet = base === "https://github.com" ? QUIET_HOST : base.replace(/^https?:\/\//, "");
  const toThing = "(?=/[\\w.-]+/[\\w.-]+/(?:issues|pull|discussions|commit)/)";
  return {
    maxLength: LONGEST_BODY,
    quietUrl: (url) => (url.startsWith(base) ? quiet + url.slice(base.length) : url),
    quietPatterns: [
      { pattern: new RegExp(escaped + toThing, "g"), replacement: quiet },
      {
        pattern: /(^|[^\w/`@])@(?=[a-z\d])/gi,
        replacement: `$1@${ZERO_WIDTH}`,
      },
      // Matches backwards from the mark, so that each character is read once, however long the word is.
      { pattern: /(?<=[\w.-]\/[\w.-]+)([#@])(?=[\da-f])/gi, replacement: `$1${ZERO_WIDTH}` },
    ],
  };
}

/** A restored text of GitHub, with its origin at the top. */
export function quoteGithub(config: ConnectorConfig, origin: Origin, body: string | null) {
  return quoteOriginal(origin, body, githubDialect(config));
}
