import { expect, test } from "vitest";
import { gitlabForTest } from "./test-world.ts";

const HOME = "nora-lindqvist";

test("the common client finds the same projects by offset and by keyset", async () => {
  const gitlab = await gitlabForTest();
  for (let number = 1; number <= 23; number += 1) gitlab.project(`meridian-freight/depot-${number}`);
  gitlab.project("ivo.petrov/hidden");
  const client = gitlab.client();
  const offset = await client.Projects.all({ membership: true, perPage: 10, orderBy: "id", sort: "asc" });
  const keyset = await client.Projects.all({
    membership: true,
    perPage: 10,
    orderBy: "id",
    sort: "asc",
    pagination: "keyset",
  });
  const downwards = await client.Projects.all({
    membership: true,
    perPage: 7,
    orderBy: "id",
    sort: "desc",
    pagination: "keyset",
  });
  expect(offset).toHaveLength(23);
  expect(keyset.map(({ id }) => id)).toEqual(offset.map(({ id }) => id));
  expect(downwards.map(({ id }) => id)).toEqual(offset.map(({ id }) => id).reverse());
  const small = await client.Projects.all({
    membership: true,
    pagination: "offset",
    perPage: 5,
    page: 2,
    showExpanded: true,
  });
  expect(small.paginationInfo).toMatchObject({ total: 23, next: 3, current: 2, previous: 1, totalPages: 5 });
  expect(gitlab.log.refusals()).toEqual([]);
});

test("large lists have no totals, and offsets beyond the limit are refused in favour of keysets", async () => {
  const gitlab = await gitlabForTest({ settings: { countLimit: 4, offsetLimit: 4 } });
  for (let number = 1; number <= 6; number += 1) gitlab.project(`${HOME}/p-${number}`);
  const token = gitlab.tokenOf(HOME);
  const first = await gitlab.ask("/projects?membership=true&per_page=2", token);
  expect([first.headers.get("x-total"), first.headers.get("x-next-page")]).toEqual([null, "2"]);
  expect(first.headers.get("link")).not.toContain('rel="last"');
  const far = await gitlab.ask("/projects?membership=true&per_page=2&page=4", token);
  expect(far.status).toBe(405);
  expect(((await far.json()) as { error: string }).error).toContain("maximum allowed offset of 4");
  const keyset = await gitlab.ask("/projects?pagination=keyset&order_by=name", token);
  expect(keyset.status).toBe(405);
});

test("the common client creates, changes, renames and deletes a project, and the old path redirects", async () => {
  const gitlab = await gitlabForTest();
  const client = gitlab.client();
  const made = await client.Projects.create({
    name: "Restored Notes (1)",
    visibility: "private",
    topics: ["a", "b"],
  });
  expect(made).toMatchObject({
    path: "restored-notes-1",
    default_branch: "main",
    topics: ["a", "b"],
    empty_repo: true,
  });
  await expect(client.Projects.create({ name: "Restored Notes (1)" })).rejects.toThrow("already been taken");
  await expect(client.Projects.create({ name: "-:-" })).rejects.toThrow();
  const namespaces = await client.Namespaces.all();
  expect(namespaces.map(({ full_path }) => full_path)).toEqual([
    HOME,
    ...["meridian-freight", "meridian-freight/docks", "harbour-works"],
  ]);
  await client.Projects.edit(made.id, { path: "kept-notes", description: "kept" });
  const moved = await client.Projects.show(`${HOME}/restored-notes-1`);
  expect(moved).toMatchObject({
    id: made.id,
    path_with_namespace: `${HOME}/kept-notes`,
    description: "kept",
  });
  const token = gitlab.tokenOf(HOME);
  const write = await gitlab.ask(`/projects/${encodeURIComponent(`${HOME}/restored-notes-1`)}`, token, {
    method: "PUT",
    body: '{"description":"lost"}',
  });
  expect(write.status).toBe(405);
  await client.Projects.remove(made.id);
  const marked = await client.Projects.show(made.id);
  expect(marked).toMatchObject({ path: `kept-notes-deletion_scheduled-${made.id}` });
  expect(marked.marked_for_deletion_on).toMatch(/^\d{4}-\d\d-\d\d$/);
  await expect(gitlab.client("ivo.petrov").Projects.show(made.id)).rejects.toThrow("404 Project Not Found");
});

test("groups nest, their members can access everything below, and lists are filtered as requested", async () => {
  const gitlab = await gitlabForTest();
  gitlab.project("meridian-freight/docks/quay", { topics: ["yard"], description: "Where ships wait" });
  gitlab.project("harbour-works/crane", { visibility: "public" });
  const client = gitlab.client();
  const groups = await client.Groups.all({ minAccessLevel: 50 });
  expect(groups.map(({ full_path }) => full_path)).toEqual(["meridian-freight", "meridian-freight/docks"]);
  const inside = await client.Groups.allProjects("meridian-freight", { includeSubgroups: true });
  expect(inside.map(({ path }) => path)).toEqual(["quay"]);
  expect(await client.Groups.allProjects("meridian-freight")).toEqual([]);
  const members = await client.ProjectMembers.all("meridian-freight/docks/quay", { includeInherited: true });
  expect(members.map(({ username, access_level }) => [username, access_level])).toEqual([
    [HOME, 50],
    ["ivo.petrov", 40],
    ["asa_nystrom", 30],
  ]);
  expect(await client.ProjectMembers.all("meridian-freight/docks/quay")).toEqual([]);
  const found = async (search: string) =>
    (await client.Projects.all({ membership: true, search })).map(({ path }) => path);
  expect([await found("SHIPS"), await found("ua"), await found("zzz")]).toEqual([["quay"], [], []]);
  const owned = await client.Projects.all({ owned: true });
  expect(owned.map(({ path }) => path)).toEqual(["quay"]);
  const quay = await client.Projects.show("meridian-freight/docks/quay", { statistics: true });
  expect(quay.statistics).toMatchObject({ commit_count: 0 });
  expect(quay.permissions).toMatchObject({ project_access: null, group_access: { access_level: 50 } });
});

test("every response states the quota, and a request beyond it gets a text with the time to wait", async () => {
  const gitlab = await gitlabForTest({ settings: { rateLimit: 2 } });
  const token = gitlab.tokenOf(HOME);
  const first = await gitlab.ask("/user", token);
  expect([first.headers.get("ratelimit-limit"), first.headers.get("ratelimit-remaining")]).toEqual([
    "2",
    "1",
  ]);
  await gitlab.ask("/user", token);
  const refused = await gitlab.ask("/user", token);
  expect([refused.status, await refused.text()]).toEqual([429, "Retry later\n"]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(refused.headers.get("ratelimit-remaining")).toBe("0");
});

test("missing parameters are refused, undeclared ones recorded", async () => {
  const gitlab = await gitlabForTest();
  const token = gitlab.tokenOf(HOME);
  const empty = await gitlab.ask("/projects", token, { method: "POST", body: "{}" });
  expect([empty.status, await empty.json()]).toEqual([
    400,
    { error: "name, path are missing, at least one parameter must be provided" },
  ]);
  const odd = await gitlab.ask("/projects?visibility=secret", token);
  expect(await odd.json()).toEqual({ error: "visibility does not have a valid value" });
  expect((await gitlab.ask("/projects?membershop=true", token)).status).toBe(200);
  expect((await gitlab.ask("/nowhere", token)).status).toBe(404);
  expect(gitlab.log.refusals().map(({ reason }) => reason)).toEqual([
    expect.stringContaining("name, path are missing"),
    expect.stringContaining("valid value"),
    "the parameter membershop is not declared",
    "no such operation",
  ]);
});
