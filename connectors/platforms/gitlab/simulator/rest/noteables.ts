import { reachOfSnippet } from "../access.ts";
import type { AwardEmoji, GitlabWorld, Issuable, Note, Project } from "../state.ts";
import { notFound, type RestContext } from "./answers.ts";
import { reachIssue } from "./issues.ts";
import { reachMergeRequest } from "./merge-requests.ts";
import { reachProject } from "./reach.ts";

/** Something that can have notes. */
export type Noteable = {
  kind: "Issue" | "MergeRequest" | "Snippet";
  id: number;
  iid: number | null;
  projectId: number | null;
  project: Project;
  level: number;
  thing: { notes: Note[]; awards: AwardEmoji[]; updatedAt: string };
  issuable: (Issuable & { state: string }) | null;
};

/** Base paths of notes, and the kind of thing there. */
export const NOTEABLE_PLACES = [
  { base: "/projects/:id/issues/:iid{[0-9]+}", kind: "Issue" },
  { base: "/projects/:id/merge_requests/:iid{[0-9]+}", kind: "MergeRequest" },
  { base: "/projects/:id/snippets/:snippet_id{[0-9]+}", kind: "Snippet" },
] as const;

/** Finds the thing of a path for this viewer. */
export function reachNoteable(
  c: RestContext,
  world: GitlabWorld,
  kind: Noteable["kind"],
): Noteable | Response {
  if (kind === "Snippet") {
    const reached = reachProject(c, world);
    if (reached instanceof Response) return reached;
    const { project, level } = reached;
    const snippet = world.state.snippets.find(
      ({ id, projectId }) => id === Number(c.req.param("snippet_id")) && projectId === project.id,
    );
    if (!snippet || reachOfSnippet(world, c.get("viewer"), snippet) === "none") return notFound(c, "Snippet");
    return {
      kind,
      id: snippet.id,
      iid: null,
      projectId: project.id,
      project,
      level,
      thing: snippet,
      issuable: null,
    };
  }
  const reached = kind === "Issue" ? reachIssue(c, world) : reachMergeRequest(c, world);
  if (reached instanceof Response) return reached;
  const issuable = "issue" in reached ? reached.issue : reached.request;
  const { project, level } = reached;
  return {
    kind,
    id: issuable.id,
    iid: issuable.iid,
    projectId: project.id,
    project,
    level,
    thing: issuable,
    issuable,
  };
}
