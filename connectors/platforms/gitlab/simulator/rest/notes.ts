import { Hono } from "hono";
import { z } from "zod";
import { LEVEL } from "../access.ts";
import { addEvents, changeableOf, makeNote, notify, setState, takeQuickActions } from "../issuables.ts";
import { ensureLabels } from "../project-records.ts";
import { type GitlabWorld, type Note, timestamp } from "../state.ts";
import { type Body, forbidden, notFound, problem, type RestContext, type RestEnv } from "./answers.ts";
import { awardRoutes } from "./awards.ts";
import { countCreation, LONGEST, lengthFaults } from "./limits.ts";
import { NOTEABLE_PLACES, type Noteable, reachNoteable } from "./noteables.ts";
import { ordered, page } from "./pages.ts";
import { bool, readParameters, text, time } from "./parameters.ts";
import { requireUser } from "./reach.ts";
import { renderNote } from "./render-issuable.ts";

/** Parameters of each call: GitLab, lib/api/notes.rb and discussions.rb. Only plain comments accept `internal`. */
const noteBody = { body: text, created_at: time.optional() };
const NOTE_BODIES = {
  plain: z.object({ ...noteBody, internal: bool.optional(), confidential: bool.optional() }),
  discussion: z.object(noteBody),
  placed: z.object({
    ...noteBody,
    position: z.record(z.string(), z.unknown()).optional(),
    commit_id: text.optional(),
  }),
};

/** Notes, discussions and emoji of issues, merge requests and project snippets. Personal snippets have none. */
export function noteRoutes(world: GitlabWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  for (const { base, kind } of NOTEABLE_PLACES) {
    const reach = (c: RestContext) => reachNoteable(c, world, kind);
    app.get(`${base}/notes`, (c) => listNotes(c, world, reach(c)));
    app.post(`${base}/notes`, (c) => createNote(c, world, reach(c), null));
    app.get(`${base}/notes/:note_id{[0-9]+}`, (c) =>
      withNote(c, reach(c), (of, note) => c.json(renderNote(world, note, of))),
    );
    app.put(`${base}/notes/:note_id{[0-9]+}`, (c) => editNote(c, world, reach(c)));
    app.delete(`${base}/notes/:note_id{[0-9]+}`, (c) => deleteNote(c, world, reach(c)));
    app.get(`${base}/discussions`, (c) => listDiscussions(c, world, reach(c)));
    app.post(`${base}/discussions`, (c) => createNote(c, world, reach(c), "new"));
    app.get(`${base}/discussions/:discussion_id`, (c) => {
      const of = reach(c);
      if (of instanceof Response) return of;
      const discussion = discussionsOf(of).find(([id]) => id === c.req.param("discussion_id"));
      return discussion ? c.json(renderDiscussion(world, of, discussion)) : notFound(c, "Discussion");
    });
    app.post(`${base}/discussions/:discussion_id/notes`, (c) =>
      createNote(c, world, reach(c), c.req.param("discussion_id")),
    );
    app.put(`${base}/discussions/:discussion_id`, (c) => resolve(c, world, reach(c)));
    app.put(`${base}/discussions/:discussion_id/notes/:note_id{[0-9]+}`, (c) => editNote(c, world, reach(c)));
    app.delete(`${base}/discussions/:discussion_id/notes/:note_id{[0-9]+}`, (c) =>
      deleteNote(c, world, reach(c)),
    );
    awardRoutes(app, world, base, reach);
  }
  return app;
}

/** Internal notes are visible from planner level on. */
function seenNotes(of: Noteable): Note[] {
  return of.thing.notes.filter(({ isInternal }) => !isInternal || of.level >= LEVEL.planner);
}

async function listNotes(c: RestContext, world: GitlabWorld, of: Noteable | Response): Promise<Response> {
  if (of instanceof Response) return of;
  const query = await readParameters(
    c,
    world,
    z.object({
      order_by: z.enum(["created_at", "updated_at"]).default("created_at"),
      sort: z.enum(["asc", "desc"]).default("desc"),
      activity_filter: z.enum(["all_notes", "only_comments", "only_activity"]).default("all_notes"),
    }),
  );
  if (query instanceof Response) return query;
  const wanted = { all_notes: null, only_comments: false, only_activity: true }[query.activity_filter];
  const notes = seenNotes(of).filter(({ isSystem }) => wanted === null || isSystem === wanted);
  const key = (note: Note) => (query.order_by === "created_at" ? note.createdAt : note.updatedAt);
  return page(c, world, ordered(notes, key, query.sort), (note) => renderNote(world, note, of));
}

/** Discussions, ordered by their first notes. */
function discussionsOf(of: Noteable): [string, Note[]][] {
  const found = new Map<string, Note[]>();
  for (const note of ordered(seenNotes(of), ({ createdAt }) => createdAt, "asc")) {
    found.set(note.discussionId, [...(found.get(note.discussionId) ?? []), note]);
  }
  return [...found];
}

function renderDiscussion(world: GitlabWorld, of: Noteable, [id, notes]: [string, Note[]]): Body {
  return {
    id,
    individual_note: notes[0]?.type === null,
    notes: notes.map((note) => renderNote(world, note, of)),
  };
}

function listDiscussions(c: RestContext, world: GitlabWorld, of: Noteable | Response): Response {
  if (of instanceof Response) return of;
  return page(c, world, discussionsOf(of), (discussion) => renderDiscussion(world, of, discussion));
}

/**
 * GitLab silently drops the flag of users who may not set it: app/services/notes/build_service.rb (`new_note`). On a
 * snippet it refuses the flag: app/models/note.rb (`ensure_noteable_can_have_confidential_note`),
 * spec/models/note_spec.rb.
 */
function wantsInternal(of: Noteable, body: Partial<z.output<typeof NOTE_BODIES.plain>>): boolean {
  return of.level >= LEVEL.planner && (body.internal === true || body.confidential === true);
}

/**
 * Whether a discussion accepts replies. A plain comment on a snippet accepts none: GitLab, lib/api/discussions.rb,
 * app/models/individual_note_discussion.rb and `replyable_types` of app/models/concerns/noteable.rb.
 */
function takesAnswers(of: Noteable, first: Note): boolean {
  return of.issuable !== null || first.type !== null;
}

/**
 * Creates a plain comment (`discussion` null), a new discussion, or a reply in one. Only owners may set its date. A
 * text with only quick actions creates no note; the response is 202.
 */
async function createNote(
  c: RestContext,
  world: GitlabWorld,
  of: Noteable | Response,
  discussion: string | null,
): Promise<Response> {
  if (of instanceof Response) return of;
  const user = requireUser(c);
  if (user instanceof Response) return user;
  const canBePlaced = discussion === "new" && of.kind === "MergeRequest";
  const shape = discussion === null ? "plain" : canBePlaced ? "placed" : "discussion";
  const body = await readParameters(c, world, NOTE_BODIES[shape]);
  if (body instanceof Response) return body;
  const first = of.thing.notes.find(({ discussionId }) => discussionId === discussion);
  if (discussion !== null && discussion !== "new") {
    if (!first) return notFound(c, "Discussion");
    if (first.isInternal && of.level < LEVEL.planner) return notFound(c, "Discussion");
    if (!takesAnswers(of, first))
      return problem(c, 400, "400 Bad request - Discussion can not be replied to.");
  }
  const limited = countCreation(c, world, user, "note");
  if (limited) return limited;
  if (of.issuable?.isDiscussionLocked && of.level < LEVEL.guest) return forbidden(c);
  const faults = lengthFaults({ note: { text: body.body, most: LONGEST.note } });
  if (faults) return problem(c, 400, faults);
  const isInternal = first?.isInternal ?? wantsInternal(of, body);
  if (isInternal && of.issuable === null) {
    const fault = '{:confidential=>["can not be set for this resource"]}';
    return problem(c, 400, `400 Bad request - Note ${fault}`);
  }
  const actions = takeQuickActions(body.body);
  if (of.issuable && of.level >= LEVEL.planner) {
    const before = changeableOf(of.issuable);
    for (const event of actions.events) setState(of.issuable, event, user.id);
    of.issuable.title = actions.title ?? of.issuable.title;
    ensureLabels(world, of.project, actions.labels);
    of.issuable.labels = [...new Set([...of.issuable.labels, ...actions.labels])];
    addEvents(world, of.issuable, { userId: user.id, before });
  }
  of.thing.updatedAt = timestamp();
  if (actions.text.trim() === "") {
    world.save();
    if (actions.text === body.body) return problem(c, 400, { note: ["can't be blank"] });
    return c.json({ commands_changes: {}, summary: ["Commands applied"] }, 202);
  }
  const place = "position" in body ? (body.position as Record<string, unknown> | undefined) : undefined;
  const isResolvable = of.kind === "MergeRequest" && discussion !== null;
  const note = makeNote(world, {
    body: actions.text,
    authorId: user.id,
    type: discussion === null ? null : place || first?.type === "DiffNote" ? "DiffNote" : "DiscussionNote",
    isInternal,
    position: place ?? first?.position ?? null,
    isResolved: isResolvable ? false : null,
    ...(first ? { discussionId: first.discussionId } : {}),
    ...(of.level >= LEVEL.owner && body.created_at
      ? { createdAt: timestamp(Date.parse(body.created_at)) }
      : {}),
  });
  // A reply to a plain comment turns it into a discussion.
  if (first && first.type === null) first.type = "DiscussionNote";
  of.thing.notes.push(note);
  notify(world, user.id, `note ${note.id}`, note.body);
  world.save();
  if (discussion !== "new") return c.json(renderNote(world, note, of), 201);
  return c.json(renderDiscussion(world, of, [note.discussionId, [note]]), 201);
}

function withNote(
  c: RestContext,
  of: Noteable | Response,
  act: (of: Noteable, note: Note) => Response | Promise<Response>,
): Response | Promise<Response> {
  if (of instanceof Response) return of;
  const note = seenNotes(of).find(({ id }) => id === Number(c.req.param("note_id")));
  return note ? act(of, note) : notFound(c, "Note");
}

function editNote(c: RestContext, world: GitlabWorld, reached: Noteable | Response) {
  return withNote(c, reached, async (of, note) => {
    const user = requireUser(c);
    if (user instanceof Response) return user;
    if (note.isSystem || (note.authorId !== user.id && of.level < LEVEL.maintainer)) return forbidden(c);
    const body = await readParameters(
      c,
      world,
      z.object({ body: text.optional(), resolved: bool.optional(), confidential: bool.optional() }),
    );
    if (body instanceof Response) return body;
    note.body = body.body ?? note.body;
    if (note.isResolved !== null && body.resolved !== undefined) note.isResolved = body.resolved;
    note.updatedAt = timestamp();
    of.thing.updatedAt = note.updatedAt;
    world.save();
    return c.json(renderNote(world, note, of));
  });
}

/** Deletes a note. The issue, merge request or snippet keeps its `updatedAt`. */
function deleteNote(c: RestContext, world: GitlabWorld, reached: Noteable | Response) {
  return withNote(c, reached, (of, note) => {
    const user = requireUser(c);
    if (user instanceof Response) return user;
    if (note.authorId !== user.id && of.level < LEVEL.maintainer) return forbidden(c);
    of.thing.notes = of.thing.notes.filter((known) => known !== note);
    world.save();
    return c.body(null, 204);
  });
}

async function resolve(c: RestContext, world: GitlabWorld, of: Noteable | Response): Promise<Response> {
  if (of instanceof Response) return of;
  const user = requireUser(c);
  if (user instanceof Response) return user;
  const body = await readParameters(c, world, z.object({ resolved: bool }));
  if (body instanceof Response) return body;
  const discussion = discussionsOf(of).find(([id]) => id === c.req.param("discussion_id"));
  if (!discussion) return notFound(c, "Discussion");
  for (const note of discussion[1]) {
    if (note.isResolved === null) continue;
    note.isResolved = body.resolved;
    note.resolvedById = body.resolved ? user.id : null;
  }
  of.thing.updatedAt = timestamp();
  world.save();
  return c.json(renderDiscussion(world, of, discussion));
}
