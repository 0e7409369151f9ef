import type { RepositoryRecords } from "../records.ts";
import { nodeId } from "../render.ts";
import { listRepositories } from "../repositories.ts";
import type { Repository } from "../state.ts";
import { actorObject } from "./actors.ts";
import { type GraphqlContext, isVisible } from "./context.ts";
import { discussionCommentObject, discussionObject } from "./discussions.ts";
import type { GraphqlObject } from "./execute.ts";
import { itemObject, projectObject } from "./projects.ts";
import { releaseObject } from "./releases.ts";
import { repositoryObject } from "./repository.ts";
import {
  commentObject,
  commitCommentObject,
  labelObject,
  milestoneObject,
  reviewCommentObject,
  reviewObject,
  reviewThreadObject,
  threadObject,
} from "./threads.ts";

type Found = { id: number; render: () => GraphqlObject };
type Lister = (context: GraphqlContext, repository: Repository, records: RepositoryRecords) => Found[];

/** How to find the objects of each kind, by the prefix of their node ids. */
const KINDS: Readonly<Record<string, Lister>> = {
  R: (context, repository) => [{ id: repository.id, render: () => repositoryObject(context, repository) }],
  I: (context, repository, { issues }) =>
    issues.map((each) => ({ id: each.id, render: () => threadObject(context, repository, each) })),
  PR: (context, repository, { issues }) =>
    issues.flatMap((each) =>
      each.pull ? [{ id: each.pull.id, render: () => threadObject(context, repository, each) }] : [],
    ),
  IC: (context, repository, { comments }) =>
    comments.map((each) => ({ id: each.id, render: () => commentObject(context, repository, each) })),
  CC: (context, repository, { commitComments = [] }) =>
    commitComments.map((each) => ({
      id: each.id,
      render: () => commitCommentObject(context, repository, each),
    })),
  PRR: (context, repository, { reviews }) =>
    reviews.map((each) => ({ id: each.id, render: () => reviewObject(context, repository, each) })),
  PRRC: (context, repository, { reviewComments }) =>
    reviewComments.map((each) => ({
      id: each.id,
      render: () => reviewCommentObject(context, repository, each),
    })),
  PRRT: (context, repository, { reviewComments }) =>
    reviewComments.map((each) => ({
      id: each.id,
      render: () => reviewThreadObject(context, repository, each),
    })),
  RE: (context, _repository, { releases }) =>
    releases.map((each) => ({ id: each.id, render: () => releaseObject(context, each) })),
  LA: (context, repository, { labels }) =>
    labels.map((each) => ({ id: each.id, render: () => labelObject(context, repository, each) })),
  MI: (context, repository, { milestones }) =>
    milestones.map((each) => ({ id: each.id, render: () => milestoneObject(context, repository, each) })),
  D: (context, repository, { discussions }) =>
    discussions.map((each) => ({ id: each.id, render: () => discussionObject(context, repository, each) })),
  DC: (context, repository, { discussionComments }) =>
    discussionComments.map((each) => ({
      id: each.id,
      render: () => discussionCommentObject(context, repository, each),
    })),
  PVT: (context, repository, { projects }) =>
    projects.map((each) => ({ id: each.id, render: () => projectObject(context, repository, each) })),
  PVTI: (context, repository, { projects }) =>
    projects.flatMap((project) =>
      project.items.map((each) => ({
        id: each.id,
        render: () => itemObject(context, repository, project, each),
      })),
    ),
};

/** Reads a node id: the prefix of its kind and its number. */
export function readNodeId(value: string): { kind: string; id: number } | null {
  const [, kind, rest] = /^([A-Z]+)_kgDO(.+)$/.exec(value) ?? [];
  const id = Number(Buffer.from(rest ?? "", "base64url").toString());
  return kind === undefined || Number.isNaN(id) ? null : { kind, id };
}

/** Finds objects by node id; null for each that does not exist or that the viewer may not see. */
export function findNodes(context: GraphqlContext, ids: readonly string[]): (GraphqlObject | null)[] {
  const indexes = new Map<string, Map<number, Found>>();
  const indexOf = (kind: string) => {
    const known = indexes.get(kind);
    if (known) return known;
    const index = new Map<number, Found>();
    for (const repository of listRepositories(context.world)) {
      if (!isVisible(context, repository)) continue;
      const records = context.world.records.of(repository);
      for (const found of KINDS[kind]?.(context, repository, records) ?? []) index.set(found.id, found);
    }
    indexes.set(kind, index);
    return index;
  };
  return ids.map((value) => {
    const account = context.world.state.accounts.find(
      ({ type, id }) => nodeId(type === "User" ? "U" : "O", id) === value,
    );
    if (account) return actorObject(context.world, account.login);
    const asked = readNodeId(value);
    return (asked && indexOf(asked.kind).get(asked.id)?.render()) ?? null;
  });
}
