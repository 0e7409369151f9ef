import type { ContractSystem } from "./contracts.ts";

/** A place where an answer may differ from the published contract, and the proof that the real service differs. */
export type ContractException = {
  system: ContractSystem;
  method: string;
  /** Path as the service documents it. */
  template: RegExp;
  status: number;
  evidence: string;
};

/** Every exception that the contract checks make. */
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
];

/**
 * Statuses that any operation may answer although many do not declare them (contracts reference, section 1):
 * credentials, rights, limits, legal blocks, outages, what was switched off or deleted, and the redirects of what was renamed. Their body must carry a message.
 */
export const UNDECLARED_STATUSES: readonly number[] = [301, 307, 400, 401, 403, 404, 410, 422, 429, 451, 503];
