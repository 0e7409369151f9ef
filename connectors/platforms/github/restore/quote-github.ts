import type { ConnectorConfig } from "#connectors/contract/platform-connector.ts";
import { type Dialect, type Origin, quoteOriginal, ZERO_WIDTH } from "#connectors/toolkit/records/quote.ts";
import { webBase } from "../client.ts";

/**
 * Longest texts, by what they are the body of. GitHub refuses longer ones. Issues, pull requests and their comments:
 * 422 names the limit. Releases: the same, "body is too long (maximum is 125000 characters)"
 * (ncipollo/release-action#493). Comments of gists: `maxLength` in GitHub's OpenAPI document.
 */
export const LONGEST = { thread: 65_536, release: 125_000, "gist-comment": 65_535 } as const;
/** What a text is the body of. */
export type TextKind = keyof typeof LONGEST;
/** GitHub's own redirect host. Links through it leave no trace at their target. */
const QUIET_HOST = "https://redirect.github.com";

/**
 * Silences GitHub texts. `@login` and `@organisation/team` send notifications. `owner/name#12`, `owner/name@commit` and
 * URLs of issues, pull requests, discussions and commits add "mentioned this" to the other history.
 */
export function githubDialect(config: ConnectorConfig, kind: TextKind = "thread"): Dialect {
  const base = webBase(config);
  const escaped = base.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  // A self-hosted server has no redirect host. Without its scheme, a URL is plain text.
  const quiet = base === "https://github.com" ? QUIET_HOST : base.replace(/^https?:\/\//, "");
  const toThing = "(?=/[\\w.-]+/[\\w.-]+/(?:issues|pull|discussions|commit)/)";
  return {
    maxLength: LONGEST[kind],
    quietUrl: (url) => (url.startsWith(base) ? quiet + url.slice(base.length) : url),
    quietPatterns: [
      { pattern: new RegExp(escaped + toThing, "g"), replacement: quiet },
      {
        pattern: /(^|[^\w/`@])@(?=[a-z\d])/gi,
        replacement: `$1@${ZERO_WIDTH}`,
      },
      // Looks back only from a mark, so that each character is read once, however long the word is. A mark that a
      // word follows is part of an address, e.g. `pull/3#discussion_r1`.
      { pattern: /(?=#\d|@[\da-f])(?<=[\w.-]\/[\w.-]+)([#@])/gi, replacement: `$1${ZERO_WIDTH}` },
    ],
  };
}

/** A restored text of GitHub, with its origin at the top. It may be cut, which the caller reports with `CUT_TEXT`. */
export function quoteGithub(
  config: ConnectorConfig,
  origin: Origin,
  { body, kind = "thread" }: { body: string | null; kind?: TextKind },
) {
  return quoteOriginal(origin, body, githubDialect(config, kind));
}

/** Why a restored text is shorter than the original, for the report. */
export const CUT_TEXT = "A text was longer than GitHub takes and was cut; the version holds all of it.";
