import { Hono } from "hono";
import { z } from "zod";
import type { GraphqlContext } from "../graphql/context.ts";
import { costOf, NODE_LIMIT } from "../graphql/cost.ts";
import {
  DocumentError,
  type Execution,
  execute,
  type GraphqlError,
  readValue,
  SOMETHING_WENT_WRONG,
} from "../graphql/execute.ts";
import { mutationRoot } from "../graphql/mutations.ts";
import { type Document, GraphqlSyntaxError, type Operation, parseDocument } from "../graphql/parse.ts";
import { repositoryObject } from "../graphql/repository.ts";
import { queryRoot } from "../graphql/root.ts";
import { countPoints, limitMessage, quotaHeaders } from "../rate-limit.ts";
import type { GithubWorld } from "../state.ts";
import { problem, type RestContext, type RestEnv, requiresAuthentication } from "./answers.ts";
import { loginOf } from "./repository-route.ts";

const order = z.object({
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).nullable().optional(),
  operationName: z.string().nullable().optional(),
});

/** github.com's answer to a query that is too expensive. */
const TIMED_OUT = { data: null, errors: [{ message: SOMETHING_WENT_WRONG }] };

/** `/graphql`. Errors in a query have status 200, including an exhausted points quota. */
export function graphqlRoutes(world: GithubWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.post("/graphql", async (c) => {
    if (c.get("viewer").kind === "anonymous") return requiresAuthentication(c);
    const body = order.safeParse(await c.req.json().catch(() => null));
    if (!body.success) return problem(c, 400, "Problems parsing JSON");
    const answer = run(c, world, body.data);
    if (answer.errors?.some(({ extensions }) => extensions?.code === "undefinedField")) {
      const [reason] = answer.errors.map(({ message }) => message);
      world.refuse({
        kind: "refused",
        method: "POST",
        path: c.req.path,
        status: 200,
        reason: reason ?? "",
      });
    }
    if (JSON.stringify(answer).length > world.settings.mostBytesInTime) return c.json(TIMED_OUT, 502);
    return c.json(answer);
  });
  return app;
}

type Answer = { data?: Record<string, unknown>; errors?: GraphqlError[] };

function run(c: RestContext, world: GithubWorld, asked: z.output<typeof order>): Answer {
  try {
    const document = parseDocument(asked.query);
    const named = document.operations.find(({ name }) => name === asked.operationName);
    const operation = named ?? document.operations[0];
    if (!operation)
      return { errors: [{ message: "A query attribute must be specified and must be a string." }] };
    const variables = variablesOf(document, operation, asked.variables ?? {});
    const { hiddenNodes: hidden, brokenFields: broken } = world.settings;
    const execution = { document, variables, hidden, broken };
    return spend(c, world, execution, operation);
  } catch (error) {
    if (error instanceof GraphqlSyntaxError) {
      const { message, line, column } = error;
      return { errors: [{ message, locations: [{ line, column }] }] };
    }
    if (error instanceof DocumentError) return { errors: [error.error] };
    throw error;
  }
}

function spend(c: RestContext, world: GithubWorld, execution: Execution, operation: Operation): Answer {
  const viewer = c.get("viewer");
  const price = costOf(execution, operation);
  if (price.nodeCount > NODE_LIMIT) {
    const message = `This query requests up to ${price.nodeCount} possible nodes which exceeds the maximum limit of ${NODE_LIMIT}.`;
    return { errors: [{ type: "MAX_NODE_LIMIT_EXCEEDED", message }] };
  }
  const before = countPoints(world, viewer, 0);
  const isOver = before.used + price.cost > before.limit;
  const quota = isOver ? before : countPoints(world, viewer, price.cost);
  for (const [name, value] of Object.entries(quotaHeaders(quota, "graphql"))) c.header(name, value);
  if (isOver) {
    c.header("X-RateLimit-Remaining", "0");
    return { errors: [{ type: "RATE_LIMITED", message: limitMessage(viewer) }] };
  }
  const context: GraphqlContext = {
    world,
    viewer,
    login: loginOf(world, viewer),
    showRepository: (repository) => repositoryObject(context, repository),
  };
  const root = operation.type === "query" ? queryRoot(context, { quota, ...price }) : mutationRoot(context);
  const { data, errors } = execute(execution, operation, root);
  return errors.length > 0 ? { data, errors } : { data };
}

function variablesOf(
  document: Document,
  operation: Operation,
  given: Record<string, unknown>,
): Record<string, unknown> {
  const entries = operation.variables.map(({ name, isRequired, fallback }) => {
    const value = given[name] ?? readValue({ document, variables: {} }, fallback);
    if (isRequired && (value === undefined || value === null)) {
      throw new DocumentError({
        message: `Variable $${name} of type ID! was provided invalid value`,
        extensions: { value: null, problems: [{ path: [], explanation: "Expected value to not be null" }] },
      });
    }
    return [name, value] as const;
  });
  return Object.fromEntries(entries);
}
