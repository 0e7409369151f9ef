import { schema as published } from "@octokit/graphql-schema";
import {
  buildSchema,
  findBreakingChanges,
  type GraphQLField,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from "graphql";
import { Octokit } from "octokit";
import { expect, test } from "vitest";
import { createRepository } from "../repositories.ts";
import { seedProject } from "../seed-extras.ts";
import { githubForTest } from "../test-world.ts";
import { schema } from "./schema.ts";

const ORG = "meridian-freight";
const UNHURRIED = { throttle: { enabled: false }, retry: { enabled: false } };

async function yard(settings = {}) {
  const github = await githubForTest({ settings });
  const repository = createRepository(github.world, {
    owner: ORG,
    name: "yard",
    visibility: "private",
    hasDiscussions: true,
  });
  const token = github.tokenOf("nora-lindqvist");
  const octokit = new Octokit({ auth: token, baseUrl: github.apiUrl, ...UNHURRIED });
  await github.control(`/github/repos/${ORG}/yard/generate`, {
    issues: 130,
    commentsPerIssue: 1,
    discussions: 2,
  });
  return { github, octokit, token, repository };
}

test("lists have totals, and their cursors visit every number once", async () => {
  const { octokit } = await yard();
  const totals = await octokit.graphql(
    `query Totals($owner: String!, $name: String!) {
      repository(owner: $owner, name: $name) {
        issues { totalCount } pullRequests { totalCount } discussions { totalCount } labels { totalCount }
      }
      rateLimit { cost remaining limit }
    }`,
    { owner: ORG, name: "yard" },
  );
  expect(totals).toMatchObject({
    repository: {
      issues: { totalCount: 130 },
      pullRequests: { totalCount: 0 },
      discussions: { totalCount: 2 },
    },
    rateLimit: { cost: 1, remaining: 4_999, limit: 5_000 },
  });
  const swept = await octokit.graphql.paginate<{ repository: { issues: { nodes: { number: number }[] } } }>(
    `query Sweep($owner: String!, $name: String!, $cursor: String) {
      repository(owner: $owner, name: $name) {
        issues(first: 100, after: $cursor) { nodes { number } pageInfo { hasNextPage endCursor } }
      }
    }`,
    { owner: ORG, name: "yard" },
  );
  expect(new Set(swept.repository.issues.nodes.map(({ number }) => number)).size).toBe(130);
});

test("discussions have comments and replies, and objects are found by node id", async () => {
  const { octokit, github } = await yard();
  const answer = await octokit.graphql<{
    repository: { discussions: { nodes: { id: string; number: number }[] } };
  }>(
    `query ($owner: String!, $name: String!) {
      repository(owner: $owner, name: $name) {
        discussions(first: 10, orderBy: { field: UPDATED_AT, direction: DESC }) {
          nodes {
            id number title category { name isAnswerable } answer { databaseId }
            reactions(first: 5) { nodes { content user { login } } pageInfo { hasNextPage } }
            comments(first: 5) { nodes { databaseId body author { login } replies(first: 5) { nodes { body } } } }
          }
        }
      }
    }`,
    { owner: ORG, name: "yard" },
  );
  expect(answer.repository.discussions.nodes).toMatchObject([
    { number: 132, category: { name: "General" }, comments: { nodes: [{ replies: { nodes: [{}] } }] } },
    { number: 131 },
  ]);
  const [first] = answer.repository.discussions.nodes;
  const issue = await octokit.rest.issues.get({ owner: ORG, repo: "yard", issue_number: 7 });
  await octokit.rest.reactions.createForIssue({ owner: ORG, repo: "yard", issue_number: 7, content: "+1" });
  const nodes = await octokit.graphql(
    `query ($ids: [ID!]!) {
      nodes(ids: $ids) { ... on Discussion { number } ... on Reactable { id reactions(first: 9) { nodes { content user { login } } } } }
    }`,
    { ids: [first?.id, issue.data.node_id, "I_kgDOMQ"] },
  );
  expect(nodes).toMatchObject({
    nodes: [
      { number: 132 },
      {
        id: issue.data.node_id,
        reactions: { nodes: [{ content: "THUMBS_UP", user: { login: "nora-lindqvist" } }] },
      },
      null,
    ],
  });
  const made = await octokit.graphql(
    `mutation ($input: AddDiscussionCommentInput!) { addDiscussionComment(input: $input) { comment { body } } }`,
    { input: { discussionId: first?.id, body: "Agreed" } },
  );
  expect(made).toMatchObject({ addDiscussionComment: { comment: { body: "Agreed" } } });
  expect(github.log.refusals()).toEqual([]);
});

test("errors have status 200: unknown fields, missing or forbidden objects, exhausted points", async () => {
  const { github, token } = await yard({ graphqlLimit: 2 });
  const ask = async (query: string) => {
    const answer = await github.ask("/graphql", token, { method: "POST", body: JSON.stringify({ query }) });
    expect(answer.status).toBe(200);
    return {
      headers: answer.headers,
      ...((await answer.json()) as { data?: unknown; errors: { type: string }[] }),
    };
  };
  const unknown = await ask("{ viewer { shoeSize } }");
  expect(unknown.errors).toMatchObject([{ extensions: { code: "undefinedField", typeName: "User" } }]);
  expect(unknown.data).toBeUndefined();
  expect(await ask('{ repository(owner: "ivo-petrov", name: "none") { id } }')).toMatchObject({
    data: { repository: null },
    errors: [{ type: "NOT_FOUND", path: ["repository"] }],
  });
  await github.control("/github/settings", { permissions: { metadata: "read" } });
  expect(
    await ask(`{ repository(owner: "${ORG}", name: "yard") { name discussions(first: 1) { totalCount } } }`),
  ).toMatchObject({
    // The list cannot be null in GitHub's schema, so the repository that contains it is null.
    data: { repository: null },
    errors: [
      {
        type: "FORBIDDEN",
        path: ["repository", "discussions"],
        message: "Resource not accessible by integration",
      },
    ],
  });
  const limited = await ask("{ viewer { login } }");
  expect(limited.errors).toMatchObject([{ type: "RATE_LIMITED" }]);
  expect([limited.headers.get("x-ratelimit-remaining"), limited.headers.get("x-ratelimit-resource")]).toEqual(
    ["0", "graphql"],
  );
  expect((await ask("{ viewer { login")).errors).toMatchObject([{ locations: [{ line: 1 }] }]);
});

test("the simulator's schema is a subset of the schema that GitHub publishes", () => {
  expect(findBreakingChanges(schema, buildSchema(published.idl, { assumeValid: true }))).toEqual([]);
});

test.each([
  ["selectionMismatch", "{ viewer }"],
  ["selectionMismatch", "{ viewer { login { length } } }"],
  ["undefinedField", "{ viewer { ...on User { shoeSize } } }"],
  ["argumentNotAccepted", "{ viewer(height: 3) { login } }"],
  ["missingRequiredArguments", '{ repository(name: "yard") { id } }'],
  ["argumentLiteralsIncompatible", "{ node(id: 1.5) { id } }"],
  [
    "argumentLiteralsIncompatible",
    `{ repository(owner: "${ORG}", name: "yard") { issues(states: [LOST]) { totalCount } } }`,
  ],
  ["variableMismatch", "query ($id: String!) { node(id: $id) { id } }"],
  ["variableNotDefined", "{ node(id: $id) { id } }"],
  ["variableNotUsed", "query ($id: ID) { viewer { login } }"],
  ["variableRequiresValidType", "query ($id: User) { node(id: $id) { id } }"],
  ["undefinedType", "{ viewer { ... on Giant { login } } }"],
  ["cannotSpreadFragment", "{ viewer { ... on Label { name } } }"],
  ["useAndDefineFragment", "{ viewer { ...giant } }"],
  ["infiniteLoop", "{ viewer { ...a } } fragment a on User { ...a }"],
  ["fieldConflict", "{ viewer { login login: name } }"],
  ["undefinedDirective", "{ viewer { login @loud } }"],
  ["uniquelyNamedOperations", "query A { viewer { login } } query A { viewer { id } }"],
  ["missingSubscriptionConfiguration", "subscription { viewer { login } }"],
])("a document is refused before it runs: %s in %s", async (code, query) => {
  const { github, token } = await yard();
  const response = await github.ask("/graphql", token, { method: "POST", body: JSON.stringify({ query }) });
  expect(response.status).toBe(200);
  const answer = (await response.json()) as { data?: unknown; errors: { extensions: { code: string } }[] };
  expect(answer.data).toBeUndefined();
  expect(answer.errors.map(({ extensions }) => extensions.code)).toContain(code);
  expect(github.log.refusals()).toHaveLength(1);
});

test("every object returns every field of its type in the right form", async () => {
  const { octokit, github, repository } = await yard();
  await github.control(`/github/repos/${ORG}/yard/generate`, { pulls: 2, reviewsPerPull: 1, releases: 1 });
  seedProject(github.world, repository);
  const query = `{ repository(owner: "${ORG}", name: "yard") ${everything("Repository", 5)} rateLimit ${everything("RateLimit", 0)} }`;
  const answer = await octokit.graphql<{ repository: Record<string, { nodes: unknown[] }> }>(query);
  for (const list of ["issues", "pullRequests", "discussions", "labels", "releases", "projectsV2"]) {
    expect([list, answer.repository[`Repository_${list}`]]).not.toEqual([list, null]);
  }
  expect(github.log.refusals()).toEqual([]);
});

/** Selects all fields of a type, down to a depth. Every field has an alias, because members of a union may differ. */
function everything(name: string, depth: number): string {
  const type = schema.getType(name);
  if (isAbstractType(type)) {
    const members = schema
      .getPossibleTypes(type)
      .map((member) => `... on ${member.name} ${everything(member.name, depth)}`);
    return `{ __typename ${members.join(" ")} }`;
  }
  if (!isObjectType(type)) throw new Error(`${name} has no fields.`);
  const fields = Object.values(type.getFields()).flatMap((field) => chosen(name, field, depth));
  return `{ ${["__typename", ...fields].join(" ")} }`;
}

function chosen(parent: string, field: GraphQLField<unknown, unknown>, depth: number): string[] {
  const inner = getNamedType(field.type);
  if (field.args.some(isRequiredArgument) || (isCompositeType(inner) && depth === 0)) return [];
  const bound = field.args.some(({ name }) => name === "first") ? "(first: 1)" : "";
  const below = isLeafType(inner) ? "" : everything(inner.name, depth - 1);
  return [`${parent}_${field.name}: ${field.name}${bound} ${below}`];
}
