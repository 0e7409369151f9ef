import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { Session } from "#connectors/contract/platform-connector.ts";
import { retryTime } from "#connectors/toolkit/git/http-failure.ts";
import { githubClient, paths } from "./client.ts";

/** A question to GitHub's GraphQL API. */
export type GraphqlQuery<S extends z.ZodType> = {
  document: string;
  variables: Readonly<Record<string, string | number | null | readonly string[]>>;
  /** The form of `data`. */
  schema: S;
  /** The thing that is asked about, for messages. */
  about: string;
};

const answerSchema = z.object({
  data: z.unknown().optional(),
  errors: z
    .array(z.object({ type: z.string().nullish(), message: z.string().catch("") }))
    .nullish()
    .transform((errors) => errors ?? []),
});

/**
 * Asks GitHub's GraphQL API, which tells failures under HTTP 200. Data that came with errors beside it is taken when it
 * has the known form: GitHub leaves out what we may not see.
 *
 * @throws ConnectorError
 */
export async function askGraphql<S extends z.ZodType>(
  session: Session,
  { document, variables, schema, about }: GraphqlQuery<S>,
): Promise<z.output<S>> {
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
  const limited = errors.find(({ type }) => type === "RATE_LIMITED");
  if (limited) {
    const retryAt = retryTime(headers, session.clock.now());
    throw new ConnectorError("rate-limited", `GitHub asks us to wait. It said: ${limited.message}`, {
      retryAt,
    });
  }
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  const [first] = errors;
  const where = parsed.error.issues[0];
  if (first === undefined) throw malformed(about, where && `${where.path.join(".")}: ${where.message}`);
  throw new ConnectorError(
    kindOf(first.type),
    `GitHub does not show us ${about}. It said: ${first.message.slice(0, 300)}`,
  );
}

function kindOf(type: string | null | undefined): ConnectorError["kind"] {
  if (type === "NOT_FOUND") return "gone";
  return type === "FORBIDDEN" || type === "INSUFFICIENT_SCOPES" ? "forbidden" : "unsupported";
}

function malformed(about: string, where?: string): ConnectorError {
  const place = where === undefined ? "" : ` (${where})`;
  return new ConnectorError("malformed", `GitHub's answer about ${about} is not of the known form${place}.`);
}
