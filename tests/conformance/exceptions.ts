import type { ContractSystem } from "./contracts.ts";

/** A response that may differ from the published contract, with evidence that the real service differs. */
export type ContractException = {
  system: ContractSystem;
  method: string;
  /** Path as the service documents it. */
  template: RegExp;
  status: number;
  evidence: string;
};

/** Every exception in the contract checks. */
export const CONTRACT_EXCEPTIONS: readonly ContractException[] = [
  {
    system: "github",
    method: "PUT",
    template: /^\/(repos\/[^/]+\/[^/]+|repositories\/\d+)\/actions\/permissions$/,
    status: 204,
    evidence:
      "The subset leaves Actions out. The full document (npm @octokit/openapi 23.0.2) has the operation " +
      "actions/set-github-actions-permissions-repository with the answer 204 and no body.",
  },
  ...[200, 201].flatMap((status) =>
    ["GET", "POST", "PUT"].map((method) => ({
      system: "github" as const,
      method,
      template:
        /^\/(repos\/[^/]+\/[^/]+|repositories\/\d+)\/(actions\/(secrets|variables|permissions)|dependabot\/secrets|environments)/,
      status,
      evidence:
        "The subset leaves Actions and environments out. The full document (npm @octokit/openapi 23.0.2) has " +
        "actions/list-repo-secrets, actions/list-repo-variables, repos/get-all-environments and their siblings.",
    })),
  ),
  ...[200, 202, 413, 415].flatMap((status) =>
    ["GET", "POST"].map((method) => ({
      system: "github" as const,
      method,
      template: /^\/(repos\/[^/]+\/[^/]+|repositories\/\d+)\/import\/issues(\/\d+)?$/,
      status,
      evidence:
        "The import of issues is a preview that no document lists; github-migrator and node-gitlab-2-github use it.",
    })),
  ),
  {
    system: "github",
    method: "POST",
    template: /\/releases\/\d+\/assets$|\/requested_reviewers$/,
    status: 422,
    evidence:
      "The document declares these refusals without a body; GitHub sends its usual one, whose already_exists clients read.",
  },
  {
    system: "github",
    method: "GET",
    template: /^\/(repos\/[^/]+\/[^/]+|repositories\/\d+)\/contents\/?$/,
    status: 200,
    evidence:
      "The path of repos/get-content may be empty, which lists the folder at the top (docs.github.com, “Get repository " +
      "content”: “Omit :path”). A path of a document matches no empty parameter.",
  },
  {
    system: "github",
    method: "POST",
    template: /^\/markdown$/,
    status: 200,
    evidence:
      "The subset leaves it out. The full document (npm @octokit/openapi 23.0.2) has the operation markdown/render with HTML as its answer.",
  },
  ...[200, 502].map((status) => ({
    system: "github" as const,
    method: "POST",
    template: /^\/graphql$/,
    status,
    evidence:
      "GraphQL is no operation of the REST document; every answer of its own, refusals too, has status 200, but one that " +
      "takes too long has 502 with the same body (cli/cli#9321 and others: HTTP 502, Something went wrong …).",
  })),
];

/** Fields of requests that the real service takes and the published document omits. */
export const UNDECLARED_FIELDS: readonly {
  system: ContractSystem;
  method: string;
  /** The operation's path in the document. */
  template: string;
  field: string;
  evidence: string;
}[] = [
  {
    system: "github",
    method: "PATCH",
    template: "/repos/{owner}/{repo}",
    field: "has_discussions",
    evidence:
      "GitHub's own client switches discussions on with it (cli/cli, pkg/cmd/repo/edit/edit.go, EnableDiscussions); the " +
      "document declares it where a repository is created.",
  },
];

/** Members that the real service sends and the published document omits. */
export const UNDECLARED_MEMBERS: readonly { system: ContractSystem; member: RegExp; evidence: string }[] = [
  {
    system: "github",
    member: /^\/status$/,
    evidence:
      "Every error body of GitHub's carries its status as a text; the schema basic-error declares it, validation-error and its siblings do not.",
  },
  {
    system: "github",
    member: /\/permissions\/(actions_variables|gists)$/,
    evidence:
      "GitHub names the permissions for variables and gists so in X-Accepted-GitHub-Permissions; app-permissions leaves them out.",
  },
  {
    system: "github",
    member: /^\/\d+\/(state_reason|assigner)$/,
    evidence:
      "Closing says why, assigning says by whom: of issue-event and the timeline's schemas one declares each, the other does not.",
  },
];

/** Members that the published document declares as objects and the service sends empty. */
export const EMPTIED_MEMBERS: readonly { system: ContractSystem; member: RegExp; evidence: string }[] = [
  {
    system: "github",
    member: /\/head\/repo$/,
    evidence:
      "The head of a pull request whose fork was deleted has no repository: the web page calls it unknown, the API says null.",
  },
];

/**
 * Statuses that any operation may return although many do not declare them (contracts reference, section 1):
 * credentials, permissions, media types, limits, legal blocks, outages, disabled or deleted resources, and redirects
 * after a rename. Their body must carry a message.
 */
export const UNDECLARED_STATUSES: readonly number[] = [
  301, 307, 400, 401, 403, 404, 410, 415, 422, 429, 451, 502, 503, 504,
];
