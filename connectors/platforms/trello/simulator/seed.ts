import { createBoard, editBoard, setBoardMember } from "./boards.ts";
import { newId } from "./ids.ts";
import { fillBoard } from "./seed-board.ts";
import { fillFleetBoard } from "./seed-fleet-board.ts";
import type { Member, MemberType, Organization, Plan, TrelloWorld } from "./state.ts";

/** When the people of the demo signed up. */
const BEGINNING = Date.parse("2024-01-08T07:30:00Z");

/** Nora signs in; Ivo and Åsa work with her; Lena is on none of their boards. */
const PEOPLE = [
  { username: "nora_lindqvist", fullName: "Nora Lindqvist", initials: "NL", email: "nora@meridian.example" },
  { username: "ivo_petrov", fullName: "Ivo Petrov", initials: "IP", email: "ivo@meridian.example" },
  { username: "asa_nystrom", fullName: "Åsa Nyström", initials: "ÅN", email: "asa@meridian.example" },
  { username: "lena_brandt", fullName: "Lena Brandt", initials: "LB", email: "lena@harbour.example" },
];

/** Creates people and workspaces, and for the demo also boards. */
export function seedWorld(world: TrelloWorld, seed: "demo" | "people"): void {
  const { state } = world;
  for (const person of PEOPLE) {
    state.members.push({ id: newId(state, BEGINNING), bio: "", ...person });
  }
  const [nora, ivo, asa, lena] = state.members as [Member, Member, Member, Member];
  addOrganization(world, {
    name: "meridianfreight",
    displayName: "Meridian Freight",
    desc: "Lorries, ferries, customs.",
    plan: "premium",
    members: [
      [nora, "admin"],
      [ivo, "normal"],
      [asa, "normal"],
    ],
  });
  addOrganization(world, {
    name: "harbourworks",
    displayName: "Harbour Works",
    desc: "",
    plan: "free",
    members: [
      [ivo, "admin"],
      [nora, "normal"],
      [lena, "normal"],
    ],
  });
  if (seed === "demo") seedBoards(world, [nora, ivo, asa]);
}

/** Adds a workspace with its members. */
export function addOrganization(
  world: TrelloWorld,
  order: { name: string; displayName: string; desc: string; plan: Plan; members: [Member, MemberType][] },
): Organization {
  const { members, ...fields } = order;
  const organization: Organization = {
    id: newId(world.state, BEGINNING),
    ...fields,
    idMemberCreator: members[0]?.[0].id ?? "",
    memberships: members.map(([member, memberType]) => ({
      id: newId(world.state, BEGINNING),
      idMember: member.id,
      memberType,
      isDeactivated: false,
    })),
  };
  world.state.organizations.push(organization);
  world.save();
  return organization;
}

function seedBoards(world: TrelloWorld, [nora, ivo, asa]: [Member, Member, Member]): void {
  const at = BEGINNING + 86_400_000;
  const [meridian = null, harbour = null] = world.state.organizations;
  const make = (by: Member, order: Parameters<typeof createBoard>[2], crew: [Member, MemberType][] = []) => {
    const board = createBoard(world, by, { hasDefaultLists: false, hasDefaultLabels: false, at, ...order });
    for (const [member, memberType] of crew) setBoardMember(world, board, by, { member, memberType, at });
    return board;
  };
  const fleet = make(
    nora,
    {
      name: "Fleet planning",
      desc: "Which lorry goes where. Mondays at nine, by the map.",
      organization: meridian,
      prefs: { permissionLevel: "org", voting: "members", background: "green", selfJoin: false },
    },
    [
      [ivo, "normal"],
      [asa, "observer"],
    ],
  );
  fleet.starredBy.push(nora.id);
  fillFleetBoard(world, fleet, [nora, ivo, asa]);
  const customs = make(
    nora,
    { name: "Таможня · 通関 📦 <b>“customs”</b>/../x", desc: "", organization: meridian },
    [[ivo, "admin"]],
  );
  fillBoard(world, customs, { by: ivo, crew: [nora, ivo], isPaid: true });
  make(nora, { name: "Empty yard", organization: meridian });
  const closed = make(nora, { name: "Winter 2023 (closed)", organization: meridian });
  fillBoard(world, closed, { by: nora, crew: [nora], isPaid: true });
  editBoard(world, closed, nora, { isClosed: true });
  const rota = make(
    ivo,
    { name: "Harbour rota", organization: harbour, hasDefaultLists: true, hasDefaultLabels: true },
    [[nora, "normal"]],
  );
  fillBoard(world, rota, { by: ivo, crew: [ivo, nora], isPaid: false });
  make(nora, { name: "Private list", hasDefaultLists: true, hasDefaultLabels: true });
}
