import { Hono } from "hono";
import { answer, CONNECTION_NAME, idOf, missing, type NotionEnv, need, onlyQuery } from "../api-context.ts";
import { listAnswer, pageOf, pageOfQuery } from "../paging.ts";
import type { Fields, Grant, NotionWorld, Person } from "../state.ts";

/** People and bots of the grant's workspace. Guests are not listed, but each can be asked for. */
export function userRoutes(world: NotionWorld): Hono<NotionEnv> {
  const app = new Hono<NotionEnv>();
  app.get("/users", (c) => {
    need(c, "read_users");
    onlyQuery(c, ["page_size", "start_cursor"]);
    const grant = c.get("grant");
    const people = world.state.people.filter(
      ({ workspaceIds, isGuest }) => workspaceIds.includes(grant.workspaceId) && !isGuest,
    );
    const all = [...people.map(({ id }) => id), grant.botId];
    const { ids, next } = pageOf(all, pageOfQuery(c));
    return answer(
      c,
      listAnswer(
        "user",
        ids.map((id) => renderUser(world, grant, id)!),
        next,
      ),
    );
  });
  app.get("/users/me", (c) => {
    onlyQuery(c, []);
    return answer(c, renderBot(world, c.get("grant")));
  });
  app.get("/users/:user_id", (c) => {
    need(c, "read_users");
    onlyQuery(c, []);
    const id = idOf(c.req.param("user_id"), "path.user_id");
    const user = renderUser(world, c.get("grant"), id);
    if (user === null) throw missing(c, "user", id);
    return answer(c, user);
  });
  return app;
}

/** A person or bot of the grant's workspace; null = nobody has this id. */
export function renderUser(world: NotionWorld, grant: Grant, id: string): Fields | null {
  const isHere = ({ workspaceIds }: Person) => workspaceIds.includes(grant.workspaceId);
  const person = world.state.people.find((known) => known.id === id && isHere(known));
  if (person) return renderPerson(world, person, grant.capabilities.includes("read_emails"));
  const bot = world.state.grants.find(
    ({ botId, workspaceId }) => botId === id && workspaceId === grant.workspaceId,
  );
  return bot ? renderBot(world, bot) : null;
}

/** A person; without the capability for e-mail addresses, `person` is empty (contract: `email` is optional). */
export function renderPerson(
  { url }: NotionWorld,
  { id, login, name, email }: Person,
  isWithEmail: boolean,
): Fields {
  return {
    ...{ object: "user", id, name, avatar_url: `${url}/avatars/${login}`, type: "person" },
    person: isWithEmail ? { email } : {},
  };
}

function renderBot(world: NotionWorld, grant: Grant): Fields {
  const workspace = world.state.workspaces.find(({ id }) => id === grant.workspaceId)!;
  const person = world.state.people.find(({ id }) => id === grant.personId)!;
  const { freeFileBytes, paidFileBytes } = world.settings;
  const isWithEmail = grant.capabilities.includes("read_emails");
  return {
    ...{ object: "user", id: grant.botId, name: CONNECTION_NAME, avatar_url: null, type: "bot" },
    bot: {
      owner: { type: "user", user: renderPerson(world, person, isWithEmail) },
      ...{ workspace_name: workspace.name, workspace_id: workspace.id },
      workspace_limits: {
        max_file_upload_size_in_bytes: workspace.plan === "free" ? freeFileBytes : paidFileBytes,
      },
    },
  };
}
