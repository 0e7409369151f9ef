import { nodeId } from "../render.ts";
import type { Repository } from "../state.ts";
import type { GraphqlContext } from "./context.ts";
import type { GraphqlObject } from "./execute.ts";

/** A classic rule with its pattern, which REST shows only by the branches that it matches. */
export type ProtectionRule = { id: number; pattern: string; kept: Record<string, unknown> };

/** The classic rules of a repository: those set for a branch by name, and those with a pattern. */
export function protectionRules({ world }: GraphqlContext, repository: Repository): ProtectionRule[] {
  const { protections, protectedPatterns = [] } = world.records.of(repository).settings;
  const all = [...Object.entries(protections), ...protectedPatterns.map((pattern) => [pattern, {}] as const)];
  return all.map(([pattern, kept], index) => ({ id: repository.id * 100 + index, pattern, kept }));
}

/** A classic rule. */
export function protectionObject({ id, pattern, kept }: ProtectionRule): GraphqlObject {
  const checks = kept.required_status_checks as { strict: boolean; contexts?: string[] } | null | undefined;
  const reviews = kept.required_pull_request_reviews as Record<string, unknown> | null | undefined;
  return {
    __typename: "BranchProtectionRule",
    id: nodeId("BPR", id),
    pattern,
    allowsDeletions: kept.allow_deletions === true,
    allowsForcePushes: kept.allow_force_pushes === true,
    blocksCreations: kept.block_creations === true,
    dismissesStaleReviews: reviews?.dismiss_stale_reviews === true,
    isAdminEnforced: kept.enforce_admins === true,
    lockBranch: kept.lock_branch === true,
    requiredApprovingReviewCount: reviews ? Number(reviews.required_approving_review_count ?? 1) : null,
    requiredStatusCheckContexts: checks?.contexts ?? [],
    requiresApprovingReviews: Boolean(reviews),
    requiresCodeOwnerReviews: reviews?.require_code_owner_reviews === true,
    requiresCommitSignatures: false,
    requiresConversationResolution: kept.required_conversation_resolution === true,
    requiresLinearHistory: kept.required_linear_history === true,
    requiresStatusChecks: Boolean(checks),
    requiresStrictStatusChecks: checks?.strict === true,
    restrictsPushes: false,
    restrictsReviewDismissals: false,
  };
}
