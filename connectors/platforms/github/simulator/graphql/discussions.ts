import type { Discussion, DiscussionCategory, DiscussionComment } from "../records.ts";
import { nodeId } from "../render.ts";
import { fullName } from "../repositories.ts";
import type { Repository } from "../state.ts";
import { actorObject, reactionFields, writtenBy } from "./actors.ts";
import { connection } from "./connection.ts";
import type { GraphqlContext } from "./context.ts";
import type { GraphqlObject } from "./execute.ts";
import { idsOf } from "./ids.ts";
import { labelObject } from "./threads.ts";

const byId = ({ id }: { id: number }) => id;

/** A category of discussions. */
export function categoryObject(category: DiscussionCategory): GraphqlObject {
  return {
    id: nodeId("DIC", category.id),
    name: category.name,
    emoji: category.emoji,
    emojiHTML: `<div>${category.emoji}</div>`,
    description: category.description,
    slug: category.name.toLowerCase().replace(/[^a-z0-9]+/g, "-"),
    isAnswerable: category.isAnswerable,
  };
}

/** A discussion. */
export function discussionObject(
  context: GraphqlContext,
  repository: Repository,
  discussion: Discussion,
): GraphqlObject {
  const { world } = context;
  const records = world.records.of(repository);
  const category = records.categories.find(({ id }) => id === discussion.category);
  const labels = discussion.labelIds.flatMap((id) => records.labels.find((label) => label.id === id) ?? []);
  const comments = () => records.discussionComments.filter((each) => each.discussion === discussion.number);
  const answer = () => comments().find(({ id }) => id === discussion.answer);
  return {
    __typename: "Discussion",
    ...idsOf("D", discussion.id),
    number: discussion.number,
    title: discussion.title,
    ...writtenBy(world, repository, discussion),
    url: discussionUrl(context, repository, discussion.number),
    locked: discussion.isLocked,
    activeLockReason: null,
    closed: discussion.closedAt !== null,
    closedAt: discussion.closedAt,
    stateReason: discussion.stateReason,
    isAnswered: category?.isAnswerable ? discussion.answer !== null : null,
    answerChosenAt: discussion.answer === null ? null : discussion.updatedAt,
    answerChosenBy: () => actorObject(world, discussion.answeredBy),
    answer: () => {
      const chosen = answer();
      return chosen ? discussionCommentObject(context, repository, chosen) : null;
    },
    upvoteCount: discussion.upvotes,
    category: category ? categoryObject(category) : null,
    repository: () => context.showRepository(repository),
    poll: null,
    labels: connection("labels", labels, byId, (label) => labelObject(context, repository, label)),
    // Replies are listed below their comments, not here.
    comments: (args: Record<string, unknown>) =>
      connection(
        "comments",
        comments().filter(({ replyTo }) => replyTo === null),
        byId,
        (comment) => discussionCommentObject(context, repository, comment),
      )(args),
    ...reactionFields(context, discussion.reactions),
  };
}

/** A comment on a discussion, or a reply to one. */
export function discussionCommentObject(
  context: GraphqlContext,
  repository: Repository,
  comment: DiscussionComment,
): GraphqlObject {
  const { world } = context;
  const records = world.records.of(repository);
  const discussion = records.discussions.find(({ number }) => number === comment.discussion);
  return {
    __typename: "DiscussionComment",
    ...idsOf("DC", comment.id),
    ...writtenBy(world, repository, comment),
    url: `${discussionUrl(context, repository, comment.discussion)}#discussioncomment-${comment.id}`,
    isAnswer: discussion?.answer === comment.id,
    isMinimized: comment.minimizedAs !== undefined,
    minimizedReason: comment.minimizedAs ?? null,
    upvoteCount: comment.upvotes,
    discussion: () => (discussion ? discussionObject(context, repository, discussion) : null),
    replyTo: () => {
      const parent = records.discussionComments.find(({ id }) => id === comment.replyTo);
      return parent ? discussionCommentObject(context, repository, parent) : null;
    },
    replies: (args: Record<string, unknown>) =>
      connection(
        "replies",
        records.discussionComments.filter(({ replyTo }) => replyTo === comment.id),
        byId,
        (reply) => discussionCommentObject(context, repository, reply),
      )(args),
    ...reactionFields(context, comment.reactions),
  };
}

function discussionUrl({ world }: GraphqlContext, repository: Repository, number: number): string {
  return `${world.webUrl}/${fullName(repository)}/discussions/${number}`;
}
