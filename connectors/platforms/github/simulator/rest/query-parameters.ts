/** Paging parameters of every list. */
const PAGED = ["per_page", "page"];

/** Other parameters of lists, as GitHub documents them. The first matching line applies. */
const KNOWN: readonly [path: RegExp, names: string][] = [
  [/^\/user\/memberships\/orgs$/, "state"],
  [/^\/user\/repos$/, "visibility affiliation type sort direction since before"],
  [/^\/(users\/[^/]+|user\/\d+|orgs\/[^/]+|organizations\/\d+)\/repos$/, "type sort direction"],
  [/^\/app\/installations$/, "since outdated"],
  [/^\/search\/repositories$/, "q sort order"],
  [/^\/(gists|users\/[^/]+\/gists)$/, "since"],
  [/\/branches$/, "protected"],
  [/\/commits$/, "sha path since until author"],
  [/\/commits\/.+\/check-runs$/, "check_name status filter"],
  [/\/contributors$/, "anon"],
  [/\/forks$/, "sort"],
  [/^\/orgs\/[^/]+\/members$/, "filter role"],
  [/\/(contents(\/.*)?|readme)$/, "ref"],
  [/\/git\/trees\/[^/]+$/, "recursive"],
  [/\/issues$/, "milestone state assignee type creator mentioned labels sort direction since"],
  [/\/(issues|pulls)\/comments$/, "sort direction since"],
  [/\/issues\/\d+\/comments$/, "since"],
  [/\/pulls\/\d+\/comments$/, "sort direction since"],
  [/\/reactions$/, "content"],
  [/\/milestones$/, "state sort direction"],
  [/\/pulls$/, "state head base sort direction"],
  [/\/rulesets$/, "includes_parents targets"],
  [/\/rulesets\/\d+$/, "includes_parents"],
  [/\/collaborators$/, "affiliation permission"],
];

/** Parameters of uploads. */
const UPLOADS = ["name", "label"];

/**
 * The first query parameter that the operation does not know; null = all are known. GitHub ignores unknown parameters,
 * which would hide mistakes of a client.
 * @param path Below the API's base.
 */
export function unknownParameter(method: string, path: string, query: URLSearchParams): string | null {
  const names = [...query.keys()];
  if (names.length === 0) return null;
  const known =
    path.endsWith("/assets") && method === "POST" ? UPLOADS : method === "GET" ? knownTo(path) : [];
  return names.find((name) => !known.includes(name)) ?? null;
}

function knownTo(path: string): readonly string[] {
  const own = KNOWN.find(([pattern]) => pattern.test(path))?.[1] ?? "";
  return [...PAGED, ...own.split(" ")];
}

/**
 * Whether the API can return a type that the Accept header allows: JSON of any GitHub media type, a file's bytes, or a
 * rendered text's HTML. Everything else is refused with 415.
 */
export function isAcceptable(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === "") return true;
  return accept
    .split(",")
    .map((range) => range.split(";")[0]?.trim().toLowerCase() ?? "")
    .some((range) =>
      /^(\*\/\*|application\/(\*|json|octet-stream|vnd\.github[\w.+-]*)|text\/(\*|html))$/.test(range),
    );
}
