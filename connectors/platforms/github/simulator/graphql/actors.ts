import type { Reaction } from "../records.ts";
import { nodeId } from "../render.ts";
import { association } from "../render-issue.ts";
import { findAccount, type GithubWorld, type Repository } from "../state.ts";
import { connection } from "./connection.ts";
import type { GraphqlContext } from "./context.ts";
import type { GraphqlObject } from "./execute.ts";
import { idsOf } from "./ids.ts";

const WORDS = {
  "+1": "THUMBS_UP",
  "-1": "THUMBS_DOWN",
  laugh: "LAUGH",
  confused: "CONFUSED",
  heart: "HEART",
  hooray: "HOORAY",
  rocket: "ROCKET",
  eyes: "EYES",
} as const;

/** A person, organisation or bot. Deleted accounts are null here, where REST returns `ghost`. */
export function actorObject(world: GithubWorld, login: string | null): GraphqlObject | null {
  if (login === null) return null;
  const account = findAccount(world, login);
  if (!account) {
    if (!login.endsWith("[bot]")) return null;
    const bot = login.slice(0, -"[bot]".length);
    return {
      ...{ __typename: "Bot", id: nodeId("BOT", bot), databaseId: 41_898_282 },
      ...{ login: bot, url: `${world.webUrl}/apps/${bot}`, avatarUrl: `${world.webUrl}/avatars/${bot}.svg` },
    };
  }
  const { type, id, name, email } = account;
  return {
    __typename: type,
    id: nodeId(type === "User" ? "U" : "O", id),
    databaseId: id,
    login: account.login,
    name,
    email: email ?? "",
    url: `${world.webUrl}/${account.login}`,
    avatarUrl: `${world.webUrl}/avatars/${account.login}.svg`,
  };
}

/** The fields of everything that people write. */
export function writtenBy(
  world: GithubWorld,
  repository: Repository,
  thing: { author: string; body: string | null; createdAt: string; updatedAt: string },
): Record<string, unknown> {
  return {
    author: () => actorObject(world, thing.author),
    authorAssociation: association(world, repository, thing.author),
    body: thing.body ?? "",
    bodyText: thing.body ?? "",
    createdAt: thing.createdAt,
    updatedAt: thing.updatedAt,
    publishedAt: thing.createdAt,
    lastEditedAt: null,
  };
}

/** The fields of everything that has reactions. */
export function reactionFields(
  { world }: GraphqlContext,
  reactions: readonly Reaction[],
): Record<string, unknown> {
  return {
    reactions: connection(
      "reactions",
      reactions,
      ({ id }) => id,
      (reaction) => ({
        __typename: "Reaction",
        ...idsOf("REA", reaction.id),
        content: WORDS[reaction.content],
        createdAt: reaction.createdAt,
        user: () => actorObject(world, reaction.login),
      }),
    ),
    reactionGroups: () =>
      Object.entries(WORDS).map(([content, word]) => {
        const same = reactions.filter((reaction) => reaction.content === content);
        return {
          content: word,
          createdAt: same[0]?.createdAt ?? null,
          reactors: connection(
            "reactors",
            same,
            ({ id }) => id,
            ({ login }) => actorObject(world, login) ?? { __typename: "User", login: "ghost" },
          ),
        };
      }),
  };
}
