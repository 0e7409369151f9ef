import { Octokit } from "octokit";
import { expect, test } from "vitest";
import { createRepository } from "../repositories.ts";
import { githubForTest } from "../test-world.ts";

const ORG = "meridian-freight";
const UNHURRIED = { throttle: { enabled: false }, retry: { enabled: false } };

async function yard(settings = {}) {
  const github = await githubForTest({ settings });
  createRepository(github.world, {
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
  return { github, octokit, token };
}

test("totals, and cursors that lead through every number once", async () => {
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

test("discussions come with comments and replies, and things are found by their node ids", async () => {
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

test("failures come under status 200: unknown fields, missing things, forbidden ones, and no more points", async () => {
  const { github, token } = await yard({ graphqlLimit: 3 });
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
    data: { repository: { name: "yard", discussions: null } },
    errors: [{ type: "FORBIDDEN", message: "Resource not accessible by integration" }],
  });
  const limited = await ask("{ viewer { login } }");
  expect(limited.errors).toMatchObject([{ type: "RATE_LIMITED" }]);
  expect([limited.headers.get("x-ratelimit-remaining"), limited.headers.get("x-ratelimit-resource")]).toEqual(
    ["0", "graphql"],
  );
  expect((await ask("{ viewer { login")).errors).toMatchObject([{ locations: [{ line: 1 }] }]);
});
