import { createGroup, createUser } from "./namespaces.ts";
import type { GitlabWorld, Membership } from "./state.ts";

/** People and groups, by the names that the seed uses. */
export type Cast = ReturnType<typeof seedPeople>;

/** Creates people and groups. `nora-lindqvist` signs in: she owns one group and maintains another. */
export function seedPeople(world: GitlabWorld) {
  const nora = createUser(world, {
    username: "nora-lindqvist",
    name: "Nora Lindqvist",
    email: "nora@meridian.example",
    location: "Gothenburg",
    bio: "Platform lead at Meridian Freight",
  });
  const ivo = createUser(world, {
    username: "ivo.petrov",
    name: "Ivo Petrov",
    email: "ivo@meridian.example",
  });
  const asa = createUser(world, {
    username: "asa_nystrom",
    name: "Åsa Nyström",
    email: "asa@meridian.example",
  });
  const member = (userId: number, level: number): Membership => ({
    userId,
    level,
    createdAt: "2023-05-02T08:00:00.000Z",
    expiresAt: null,
  });
  const freight = createGroup(world, {
    path: "meridian-freight",
    name: "Meridian Freight",
    description: "Freight forwarding between the Nordics and the Balkans",
    members: [member(nora.id, 50), member(ivo.id, 40), member(asa.id, 30)],
    createdAt: "2023-05-02T08:00:00.000Z",
  });
  const docks = createGroup(world, {
    path: "docks",
    name: "Docks & Yards",
    parentId: freight.id,
    createdAt: "2023-06-11T10:20:00.000Z",
  });
  const harbour = createGroup(world, {
    path: "harbour-works",
    name: "Harbour Works",
    description: "Cranes, winches and everything that lifts",
    visibility: "public",
    members: [member(ivo.id, 50), member(nora.id, 40)],
    createdAt: "2022-02-14T07:45:00.000Z",
  });
  return { nora, ivo, asa, freight, docks, harbour };
}
