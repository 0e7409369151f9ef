import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import { readPages } from "#connectors/toolkit/records/read-pages.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { LARGEST_PAGE } from "../client.ts";
import { approvalsSchema, awardsSchema, type GitlabUser } from "../payloads.ts";

/** The vote counts that a list shows; see {@link readVotes}. */
type VoteCounts = { upvotes?: number | null | undefined; downvotes?: number | null | undefined };

/**
 * Reactions to an issue or merge request and approvals of a merge request, as fields of its record. GitLab returns
 * both for one thing at a time, so reactions are read only when the list shows a vote, and approvals only when
 * `hasApprovals` is set.
 */
export async function readVotes(
  client: HttpClient,
  order: { thing: string; about: string; counts: VoteCounts; hasApprovals: boolean },
): Promise<{ [key: string]: Json }> {
  const { thing, about, counts, hasApprovals } = order;
  const votes: { [key: string]: Json } = {};
  if ((counts.upvotes ?? 0) + (counts.downvotes ?? 0) > 0) {
    votes.award_emoji = await readAwards(client, thing, about);
  }
  if (hasApprovals) {
    const call = { method: "GET", path: `${thing}/approvals`, about: `the approvals of ${about}` } as const;
    const { approved_by } = await client.request({ ...call, missing: "forbidden" }, approvalsSchema);
    if (approved_by.length > 0) {
      votes.approved_by = approved_by.map(({ user, approved_at }) => ({
        by: personOf(user),
        at: approved_at ?? null,
      }));
    }
  }
  return votes;
}

async function readAwards(client: HttpClient, thing: string, about: string): Promise<Json> {
  const call = {
    method: "GET",
    path: `${thing}/award_emoji`,
    query: { per_page: LARGEST_PAGE },
    about: `the reactions to ${about}`,
    missing: "forbidden",
  } as const;
  const awards = [];
  for await (const { members } of readPages(client, call, awardsSchema)) awards.push(...members);
  return awards
    .sort((a, b) => a.id - b.id)
    .map(({ name, user, created_at }) => ({ name, by: personOf(user), at: created_at ?? null }));
}

function personOf(user: GitlabUser): Json {
  return user ? { id: user.id, username: user.username, name: user.name } : null;
}
