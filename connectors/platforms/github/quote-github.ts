import type { ConnectorConfig } from "#connectors/contract/platform-connector.ts";
import { type Dialect, type Origin, quoteOriginal, ZERO_WIDTH } from "#connectors/toolkit/records/quote.ts";
import { webBase } from "./client.ts";

/** GitHub refuses longer bodies of issues, comments and releases (its own message of 422). */
const LONGEST_BODY = 65_536;
/** GitHub's own address whose links leave no trace at what they lead to. */
const QUIET_HOST = "https://redirect.github.com";

/**
 * Texts of GitHub made silent: `@login` and `@organisation/team` notify, `owner/name#12` and `owner/name@commit` write "mentioned
 * this" into the other history, and so do addresses of issues, pull requests, discussions and commits.
 */
export function githubDialect(config: ConnectorConfig): Dialect {
  const base = webBase(config);
  const escaped = base.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  // A server of one's own has no such address; without its scheme the address is plain text.
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
      // Looked at from the mark backwards, so that each character is read once however long a word is.
      { pattern: /(?<=[\w.-]\/[\w.-]+)([#@])(?=[\da-f])/gi, replacement: `$1${ZERO_WIDTH}` },
    ],
  };
}

/** A restored text of GitHub with its origin on top. */
export function quoteGithub(config: ConnectorConfig, origin: Origin, body: string | null) {
  return quoteOriginal(origin, body, githubDialect(config));
}
