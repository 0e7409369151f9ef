import { Hono } from "hono";
import { z } from "zod";
import type { GraphqlContext } from "../graphql/context.ts";
import { costOf, NODE_LIMIT } from "../graphql/cost.ts";
import { type Answer, execute, SOMETHING_WENT_WRONG } from "../graphql/execute.ts";
import { mutationRoot } from "../graphql/mutations.ts";
import { DocumentRefused, type Question, readQuestion } from "../graphql/read-question.ts";
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

/** github.com's response to a query that is too expensive. */
const TIMED_OUT = { data: null, errors: [{ message: SOMETHING_WENT_WRONG }] };

/** `/graphql`. Errors in a query have status 200, including an exhausted points quota. */
export function graphqlRoutes(world: GithubWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.post("/graphql", async (c) => {
    if (c.get("viewer").kind === "anonymous") return requiresAuthentication(c);
    const body = order.safeParse(await c.req.json().catch(() => null));
    if (!body.success) return problem(c, 400, "Problems parsing JSON");
    const answer = run(c, world, body.data);
    if (JSON.stringify(answer).length > world.settings.mostBytesInTime) return c.json(TIMED_OUT, 502);
    return c.json(answer);
  });
  return app;
}

function run(c: RestContext, world: GithubWorld, asked: z.output<typeof order>): Answer {
  try {
    return spend(c, world, readQuestion(asked.query, asked.operationName, asked.variables ?? {}));
  } catch (error) {
    if (!(error instanceof DocumentRefused)) throw error;
    const { path } = c.req;
    world.refuse({ kind: "refused", method: "POST", path, status: 200, reason: error.message });
    return { errors: error.errors };
  }
}

function spend(c: RestContext, world: GithubWorld, question: Question): Answer {
  const viewer = c.get("viewer");
  const price = costOf(question);
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
  const isQuery = question.operation.operation === "query";
  const root = isQuery ? queryRoot(context, { quota, ...price }) : mutationRoot(context);
  return execute(question, root, world.settings);
}
