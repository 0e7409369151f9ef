import { contentLimitBody, countCreation, secondsToWait } from "../content-limit.ts";
import type { Discussion, RepositoryRecords } from "../records.ts";
import { listRepositories } from "../repositories.ts";
import { nextId, type Repository, timestamp } from "../state.ts";
import { BODY_LIMIT, deleteIssue, takeNumber } from "../threads.ts";
import { type GraphqlContext, isVisible, requirePermission, requirePush } from "./context.ts";
import { discussionCommentObject, discussionObject } from "./discussions.ts";
import { type Arguments, FieldError, type GraphqlObject } from "./execute.ts";
import { readNodeId } from "./nodes.ts";
import { repositoryObject } from "./repository.ts";

type Input = Record<string, unknown>;
type Place = { repository: Repository; records: RepositoryRecords };

/** Changes that only GraphQL offers: discussions, and deleting issues. */
export function mutationRoot(context: GraphqlContext): GraphqlObject {
  const mutation =
    (act: (input: Input) => GraphqlObject) =>
    (args: Arguments): GraphqlObject => {
      const input = args.input as Input;
      return { clientMutationId: input.clientMutationId ?? null, ...act(input) };
    };
  return {
    createDiscussion: mutation((input) => createDiscussion(context, input)),
    addDiscussionComment: mutation((input) => addComment(context, input)),
    markDiscussionCommentAsAnswer: mutation((input) => markAnswer(context, input)),
    closeDiscussion: mutation((input) => {
      const { place, thing } = find(context, input.discussionId, "D", ({ discussions }) => discussions);
      requirePush(context, place.repository);
      thing.closedAt = timestamp();
      thing.stateReason = (input.reason as Discussion["stateReason"]) ?? "RESOLVED";
      return { discussion: changed(context, place, thing) };
    }),
    deleteIssue: mutation((input) => {
      const { place, thing } = find(context, input.issueId, "I", ({ issues }) => issues);
      requirePush(context, place.repository);
      deleteIssue(place.records, thing.number);
      save(context, place);
      return { repository: repositoryObject(context, place.repository) };
    }),
  };
}

function createDiscussion(context: GraphqlContext, input: Input): Record<string, unknown> {
  const { world, login } = context;
  const place = findRepository(context, input.repositoryId);
  requirePermission(context, place.repository, "discussions", "write");
  if (!place.repository.hasDiscussions) {
    throw new FieldError("UNPROCESSABLE", "Discussions are disabled for this repository.");
  }
  const categoryId = readNodeId(String(input.categoryId))?.id;
  const category = place.records.categories.find(({ id }) => id === categoryId);
  if (!category) throw unresolved(input.categoryId);
  beginContent(context, String(input.body ?? ""));
  const now = timestamp();
  const discussion: Discussion = {
    id: nextId(world.state),
    number: takeNumber(place.records),
    category: category.id,
    title: String(input.title),
    body: String(input.body),
    author: login,
    isLocked: false,
    closedAt: null,
    stateReason: null,
    answer: null,
    answeredBy: null,
    labelIds: [],
    upvotes: 1,
    createdAt: now,
    updatedAt: now,
    reactions: [],
  };
  place.records.discussions.push(discussion);
  return { discussion: changed(context, place, discussion) };
}

function addComment(context: GraphqlContext, input: Input): Record<string, unknown> {
  const { world, login } = context;
  const { place, thing } = find(context, input.discussionId, "D", ({ discussions }) => discussions);
  requirePermission(context, place.repository, "discussions", "write");
  const parent = input.replyToId
    ? find(context, input.replyToId, "DC", ({ discussionComments }) => discussionComments).thing
    : null;
  if (parent?.replyTo)
    throw new FieldError("UNPROCESSABLE", "Parent comment is already in a thread, cannot reply to it");
  beginContent(context, String(input.body ?? ""));
  const now = timestamp();
  const comment = {
    id: nextId(world.state),
    discussion: thing.number,
    replyTo: parent?.id ?? null,
    author: login,
    body: String(input.body),
    createdAt: now,
    updatedAt: now,
    upvotes: 1,
    reactions: [],
  };
  place.records.discussionComments.push(comment);
  thing.updatedAt = now;
  save(context, place);
  return { comment: discussionCommentObject(context, place.repository, comment) };
}

function markAnswer(context: GraphqlContext, input: Input): Record<string, unknown> {
  const { place, thing } = find(context, input.id, "DC", ({ discussionComments }) => discussionComments);
  requirePush(context, place.repository);
  const discussion = place.records.discussions.find(({ number }) => number === thing.discussion);
  if (!discussion) throw unresolved(input.id);
  discussion.answer = thing.id;
  discussion.answeredBy = context.login;
  return { discussion: changed(context, place, discussion) };
}

function changed(context: GraphqlContext, place: Place, discussion: Discussion): GraphqlObject {
  discussion.updatedAt = timestamp();
  save(context, place);
  return discussionObject(context, place.repository, discussion);
}

function save({ world }: GraphqlContext, { repository }: Place): void {
  world.records.save(repository);
  world.save();
}

/** Applies the secondary limit on creating content. @throws FieldError */
function beginContent({ world, viewer }: GraphqlContext, body: string): void {
  if ([...body].length > BODY_LIMIT) {
    throw new FieldError("UNPROCESSABLE", `Body is too long (maximum is ${BODY_LIMIT} characters)`);
  }
  if (secondsToWait(world, viewer) > 0) throw new FieldError("RATE_LIMITED", contentLimitBody().message);
  countCreation(world, viewer);
}

function findRepository(context: GraphqlContext, id: unknown): Place {
  const wanted = readNodeId(String(id));
  const repository = listRepositories(context.world).find(
    (known) => wanted?.kind === "R" && known.id === wanted.id && isVisible(context, known),
  );
  if (!repository) throw unresolved(id);
  return { repository, records: context.world.records.of(repository) };
}

function find<T extends { id: number }>(
  context: GraphqlContext,
  id: unknown,
  kind: string,
  list: (records: RepositoryRecords) => readonly T[],
): { place: Place; thing: T } {
  const wanted = readNodeId(String(id));
  for (const repository of wanted?.kind === kind ? listRepositories(context.world) : []) {
    if (!isVisible(context, repository)) continue;
    const records = context.world.records.of(repository);
    const thing = list(records).find((known) => known.id === wanted?.id);
    if (thing) return { place: { repository, records }, thing };
  }
  throw unresolved(id);
}

function unresolved(id: unknown): FieldError {
  return new FieldError("NOT_FOUND", `Could not resolve to a node with the global id of '${id}'`);
}
