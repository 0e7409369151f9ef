import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { Session } from "#connectors/contract/platform-connector.ts";
import { isOutOfReach } from "#connectors/toolkit/records/run-stages.ts";
import { askForFewer, isTooMuch, openSizes } from "#connectors/toolkit/records/shrink.ts";
import { retryTime } from "#connectors/toolkit/retry-time.ts";
import { SECOND_MS } from "#core/kernel/clock.ts";
import { githubClient, paths } from "./client.ts";

/** A query to GitHub's GraphQL API. */
export type GraphqlQuery<S extends z.ZodType> = {
  document: string;
  variables: Readonly<Record<string, string | number | null | readonly string[]>>;
  /** Schema of `data`. */
  schema: S;
  /** What the query is about, for messages. */
  about: string;
};

/** A field that GitHub failed to return. Its value is null. */
export type GraphqlGap = { path: readonly (string | number)[]; message: string };

/** Pauses before a query is repeated because its response has gaps, or is nothing but a failure of GitHub's own. */
const PAUSES_MS = [SECOND_MS, 3 * SECOND_MS];
/** Ids that one query may contain (GitHub's limit for `nodes`). */
const MOST_NODES = 100;
/** Consecutive nodes that may fail, even when queried alone, before the rest is skipped. */
const MOST_UNANSWERED = 3;

const answerSchema = z.object({
  data: z.unknown().optional(),
  errors: z
    .array(
      z.object({
        type: z.string().nullish(),
        message: z.string().catch(""),
        path: z.array(z.union([z.string(), z.int()])).catch([]),
        extensions: z.looseObject({ code: z.string().optional() }).nullish().catch(null),
      }),
    )
    .nullish()
    .transform((errors) => errors ?? []),
});
type GraphqlFailure = z.output<typeof answerSchema>["errors"][number];

/**
 * The members of a list. GitHub returns null for members it does not show, e.g. to a token that an organisation's SAML
 * keeps out. Those are left out.
 */
export function nodesOf<S extends z.ZodType>(schema: S) {
  return z
    .array(schema.nullable())
    .transform((nodes) => nodes.filter((node): node is NonNullable<typeof node> => node !== null));
}

/** `nodesOf` that also counts the nulls, as `hidden`. */
export function countedNodesOf<S extends z.ZodType>(schema: S) {
  return z.array(schema.nullable()).transform((nodes) => {
    const shown = nodes.filter((node): node is NonNullable<typeof node> => node !== null);
    return { shown, hidden: nodes.length - shown.length };
  });
}

/** The fields of somebody who wrote or did something. */
export const ACTOR = "{ __typename login }";
/**
 * Such a person or bot, in REST's form. GraphQL gives a bot's login without the suffix that REST and GitHub's pages
 * have: `dependabot` for `dependabot[bot]` (docs.github.com: the GraphQL object Bot; REST: users).
 */
export const actorSchema = z
  .object({ __typename: z.string().optional(), login: z.string() })
  .transform(({ __typename, login }) => ({
    login: __typename === "Bot" && !login.endsWith("[bot]") ? `${login}[bot]` : login,
  }))
  .nullish();

/** Whether a list has a next page, and the cursor to get it. */
export const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() });

/**
 * Queries GitHub's GraphQL API, which returns failures with HTTP 200. Data that comes with access errors is accepted
 * when it matches the schema: GitHub leaves out what we may not see.
 *
 * @throws ConnectorError; `unavailable` also when GitHub failed to return a part of the data
 */
export async function askGraphql<S extends z.ZodType>(
  session: Session,
  query: GraphqlQuery<S>,
): Promise<z.output<S>> {
  const { value, gaps } = await askWithGaps(session, query);
  if (gaps[0] !== undefined) throw gaveUp(query.about, gaps[0].message);
  return value;
}

/**
 * Like `askGraphql`, for callers that prefer a response with gaps to none. A failure of GitHub's own has no type
 * ("Something went wrong while executing your query …", github.com). Such a query is repeated before its gaps are
 * accepted.
 *
 * @throws ConnectorError; `unavailable` when no response matches the schema
 */
export async function askWithGaps<S extends z.ZodType>(
  session: Session,
  query: GraphqlQuery<S>,
): Promise<{ value: z.output<S>; gaps: GraphqlGap[] }> {
  for (const pause of PAUSES_MS) {
    const answer = await askOnce(session, query);
    if (answer.gaps.length === 0 && answer.failure === null) return answer;
    await session.sleep(pause);
  }
  const answer = await askOnce(session, query);
  if (answer.failure !== null) throw answer.failure;
  return answer;
}

type Once<T> = { value: T; gaps: GraphqlGap[]; failure: null } | NoAnswer;
type NoAnswer = { gaps: GraphqlGap[]; failure: ConnectorError };

async function askOnce<S extends z.ZodType>(
  session: Session,
  { document, variables, schema, about }: GraphqlQuery<S>,
): Promise<Once<z.output<S>>> {
  const call = {
    method: "POST",
    path: paths.graphql,
    quota: "graphql",
    body: { query: document, variables },
    about,
    isRepeatable: true,
    missing: "forbidden",
  } as const;
  const { json, headers } = await githubClient(session).send(call);
  const answer = answerSchema.safeParse(json);
  if (!answer.success) throw malformed(about);
  const { data, errors } = answer.data;
  const limited = errors.find(({ type }) => type?.startsWith("RATE_LIMIT"));
  if (limited) {
    const retryAt = retryTime(headers, session.clock.now());
    throw new ConnectorError("rate-limited", `GitHub asks us to wait. It said: ${limited.message}`, {
      retryAt,
    });
  }
  const gaps = errors.filter(isOwnFailure).map(({ path, message }) => ({ path, message }));
  const parsed = schema.safeParse(data);
  if (parsed.success) return { value: parsed.data, gaps, failure: null };
  const [first] = errors;
  if (gaps[0] !== undefined) return { gaps, failure: gaveUp(about, gaps[0].message) };
  const where = parsed.error.issues[0];
  if (first === undefined || first.extensions?.code !== undefined) {
    throw malformed(about, first?.message ?? (where && `${where.path.join(".")}: ${where.message}`));
  }
  throw new ConnectorError(
    kindOf(first.type),
    `GitHub does not show us ${about}. It said: ${first.message.slice(0, 300)}`,
  );
}

/**
 * Queries nodes by id, as many at once as GitHub can return.
 *
 * @param query The document, which has the variable `$ids`, and the schema of one node.
 * @returns the nodes by id, and the reason why some are missing; null = GitHub answered for all. Nodes that GitHub does
 *   not show are also missing.
 * @throws ConnectorError for errors that concern the whole run
 */
export async function askNodes<S extends z.ZodType>(
  session: Session,
  { document, node, about }: { document: string; node: S; about: string },
  ids: readonly string[],
): Promise<{ nodes: Map<string, z.output<S>>; unanswered: ConnectorError | null }> {
  const nodes = new Map<string, z.output<S>>();
  const schema = z.object({ nodes: z.array(node.nullable()) });
  const sizes = openSizes();
  let unanswered: ConnectorError | null = null;
  let failures = 0;
  for (let at = 0; at < ids.length; ) {
    let some: readonly string[] = [];
    try {
      const { value, gaps } = await askForFewer(sizes, MOST_NODES, (count) => {
        some = ids.slice(at, at + count);
        return askWithGaps(session, { document, variables: { ids: some }, schema, about });
      });
      const broken = new Set(gaps.map(({ path }) => path[1]));
      for (const [index, found] of value.nodes.entries()) {
        const id = some[index];
        if (id !== undefined && found !== null && !broken.has(index)) nodes.set(id, found);
      }
      if (gaps[0] !== undefined) unanswered = gaveUp(about, gaps[0].message);
      failures = 0;
    } catch (error) {
      if (!isOutOfReach(error) && !isTooMuch(error)) throw error;
      unanswered = error;
      failures += 1;
      if (isOutOfReach(error) || failures === MOST_UNANSWERED) break;
    }
    at += some.length;
  }
  return { nodes, unanswered };
}

/** GitHub's own failures have no type. Errors in the document have a code instead. */
function isOwnFailure({ type, extensions }: GraphqlFailure): boolean {
  return !type && extensions?.code === undefined;
}

function kindOf(type: string | null | undefined): ConnectorError["kind"] {
  if (type === "NOT_FOUND") return "gone";
  return type === "FORBIDDEN" || type === "INSUFFICIENT_SCOPES" ? "forbidden" : "unsupported";
}

function gaveUp(about: string, message: string): ConnectorError {
  const said = message.slice(0, 300);
  return new ConnectorError("unavailable", `GitHub failed to answer about ${about}. It said: ${said}`, {
    isTooMuch: true,
  });
}

function malformed(about: string, where?: string): ConnectorError {
  const place = where === undefined ? "" : ` (${where.slice(0, 300)})`;
  return new ConnectorError("malformed", `GitHub's answer about ${about} is not of the known form${place}.`);
}
