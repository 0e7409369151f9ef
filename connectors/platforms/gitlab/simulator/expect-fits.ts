import type { AnsweredExchange } from "#connectors/toolkit/simulator/watch-answers.ts";
import { contractsAreAbsent, readContract } from "#tests/conformance/contracts.ts";
import { openAjv } from "#tests/conformance/open-ajv.ts";

/**
 * Which responses are checked against which published type and recorded response: a pattern of method and path, the
 * type in the client library, the name of the recording. Lists are checked item by item.
 */
const RULES: readonly [RegExp, string | null, string | null][] = [
  [/^GET \/user$/, "ExpandedUserSchema", "user"],
  [/^GET \/users\/\d+$/, "UserSchema", "user"],
  [/^GET \/namespaces/, "NamespaceSchema", null],
  [/^(GET|POST) \/groups(\/[^/]+)?$/, "GroupSchema", "group"],
  [/^(GET|POST|PUT) \/(groups\/[^/]+\/|users\/[^/]+\/)?projects(\/[^/]+)?$/, "ProjectSchema", "project"],
  [/\/(members|members\/all)$/, "MemberSchema", "members"],
  [/^(GET|POST|PUT) \/projects\/[^/]+\/issues(\/\d+)?$/, "IssueSchema", "issue"],
  [/\/issues\/\d+\/notes(\/\d+)?$/, "IssueNoteSchema", "note"],
  [/\/merge_requests\/\d+\/notes(\/\d+)?$/, "NoteSchema", "merge-request-note"],
  [/^(GET|POST) .+\/discussions(\/[0-9a-f]+)?$/, "DiscussionSchema", "issue-discussions"],
  [/\/award_emoji$/, "AwardEmojiSchema", "award-emoji"],
  [/^(GET|POST|PUT) \/projects\/[^/]+\/merge_requests(\/\d+)?$/, "MergeRequestSchema", "merge-request"],
  [/\/merge_requests\/\d+\/versions$/, null, "merge-request-versions"],
  [/\/merge_requests\/\d+\/diffs$/, "CommitDiffSchema", "diff"],
  [/^(GET|POST|PUT) \/projects\/[^/]+\/labels(\/[^/]+)?$/, "LabelSchema", "labels"],
  [/^(GET|POST|PUT) \/projects\/[^/]+\/milestones(\/\d+)?$/, "MilestoneSchema", "milestone"],
  [/\/boards(\/\d+)?$/, null, "project-board"],
  [/\/releases(\/[^/]+)?$/, "ReleaseSchema", "releases"],
  [/\/assets\/links$/, "ReleaseAssetLink", "links"],
  [/\/variables(\/[^/]+)?$/, "VariableSchema", "project-variables"],
  [/\/hooks$/, "ProjectHookSchema", "hook"],
  [/\/protected_branches(\/[^/]+)?$/, "ProtectedBranchSchema", "protected-branch"],
  [/\/wikis(\/[^/]+)?$/, "WikiSchema", null],
  [/^(GET|POST|PUT) (\/projects\/[^/]+)?\/snippets\/\d+$/, "ExpandedSnippetSchema", "snippet"],
  [/^GET (\/projects\/[^/]+)?\/snippets$/, "SnippetSchema", "snippet"],
  [/\/repository\/branches(\/[^/]+)?$/, "BranchSchema", "branch"],
  [/\/repository\/tags(\/[^/]+)?$/, "TagSchema", "tag"],
  [/\/repository\/commits(\/[^/]+)?$/, "CommitSchema", "commit"],
  [/\/repository\/tree$/, "RepositoryTreeSchema", "tree"],
  [/^GET \/projects\/[^/]+\/export$/, "ExportStatusSchema", "export-status"],
  [/^GET \/projects\/[^/]+\/import$/, "ImportStatusSchema", "import-status"],
];

/** Fields whose type is wrong in the library: the recordings and GitLab's documentation agree on another. */
const WRONG_TYPES = new Set([
  "ExpandedUserSchema.private_profile",
  "IssueSchema.closed_by",
  "IssueSchema.moved_to_id",
  "TagSchema.release",
  "NoteSchema.noteable_type",
]);

/** Fields whose recorded value differs in type from GitLab's documentation and the library. */
const WRONG_RECORDINGS = new Set(["issue.type", "snippet.project_id", "user.private_profile"]);

/**
 * Checks a response against the types of `@gitbeaker/rest` and against recorded responses: fields that both have must
 * have the same type. Null is ignored, because neither source says what may be null.
 * @returns mismatches; empty when it fits, when no rule matches the call, or when the contracts are absent
 */
export function misfitsOf({ method, url, status, body }: AnsweredExchange): string[] {
  if (contractsAreAbsent() || status >= 300 || body === null || typeof body !== "object") return [];
  const call = `${method} ${url.split("?")[0]}`;
  const rule = RULES.find(([pattern]) => pattern.test(call));
  if (!rule) return [];
  const [, type, recording] = rule;
  return (Array.isArray(body) ? body : [body]).flatMap((item: unknown) => [
    ...(type === null ? [] : misfitsOfType(type, withoutNull(item)).map((text) => `${call}: ${text}`)),
    ...(recording === null ? [] : misfitsOfRecording(recording, item).map((text) => `${call}: ${text}`)),
  ]);
}

const ajv = openAjv({ allErrors: true });

function misfitsOfType(type: string, item: unknown): string[] {
  if (!ajv.getSchema("types"))
    ajv.addSchema(readContract("gitlab/gitbeaker-types.schema.json") as object, "types");
  const validate = ajv.getSchema(`types#/definitions/${type}`);
  if (!validate) return [`there is no type ${type}`];
  if (validate(item)) return [];
  return (validate.errors ?? [])
    .filter(({ instancePath }) => !WRONG_TYPES.has(`${type}.${instancePath.split("/")[1] ?? ""}`))
    .map(({ instancePath, message }) => `${type}${instancePath} ${message}`);
}

function misfitsOfRecording(name: string, item: unknown): string[] {
  const recorded = (readContract("gitlab/payloads.json") as Record<string, { payload: unknown }>)[name]
    ?.payload;
  if (recorded === undefined) return [`there is no recording ${name}`];
  const example = (Array.isArray(recorded) ? recorded[0] : recorded) as Record<string, unknown>;
  const own = item as Record<string, unknown>;
  return Object.entries(example).flatMap(([field, value]) => {
    const mine = own[field];
    if (WRONG_RECORDINGS.has(`${name}.${field}`)) return [];
    if (mine === undefined || mine === null || value === null || kindOf(mine) === kindOf(value)) return [];
    return [`${field} is ${kindOf(mine)}, recorded as ${kindOf(value)}`];
  });
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? "list" : typeof value;
}

function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNull);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutNull(inner)]));
}
