import { createField } from "./sites.ts";
import type { Field, JiraWorld, Site } from "./state.ts";

/** One custom field of each type that people fill, with what the demo calls them. */
const FIELDS = [
  { key: "seal", name: "Customs seal", type: "textfield" },
  { key: "handover", name: "Handover notes", type: "textarea" },
  { key: "tonnes", name: "Tonnes", type: "float" },
  { key: "pickup", name: "Pick-up day", type: "datepicker" },
  { key: "loaded", name: "Loaded at", type: "datetime" },
  { key: "depot", name: "Depot", type: "select", options: ["Kiruna", "Göteborg", "Gdańsk"] },
  { key: "risk", name: "Risk", type: "radiobuttons", options: ["Low", "High"] },
  { key: "papers", name: "Papers", type: "multiselect", options: ["CMR", "T1", "Insurance"] },
  { key: "hazards", name: "Hazards", type: "multicheckboxes", options: ["Flammable", "Cold chain"] },
  {
    key: "route",
    name: "Route",
    type: "cascadingselect",
    options: [
      ["Baltic", ["Göteborg–Kiel", "Karlskrona–Gdynia"]],
      ["Nordic", ["Narvik–Stockholm"]],
    ],
  },
  { key: "driver", name: "Driver", type: "userpicker" },
  { key: "crew", name: "Crew", type: "multiuserpicker" },
  { key: "team", name: "Responsible group", type: "grouppicker" },
  { key: "teams", name: "Informed groups", type: "multigrouppicker" },
  { key: "tags", name: "Cargo tags", type: "labels" },
  { key: "timetable", name: "Timetable", type: "url" },
  { key: "twin", name: "Twin project", type: "project" },
  { key: "since", name: "Broken since", type: "version" },
  { key: "seen", name: "Seen in", type: "multiversion" },
] as const;

export type FieldKey = (typeof FIELDS)[number]["key"];
export type SeedFields = Record<FieldKey, Field>;

/** The custom fields of a site for seeds; made at the first use. */
export function seedFields(world: JiraWorld, site: Site, at: number): SeedFields {
  const made = FIELDS.map(({ key, ...order }) => {
    const known = site.fields.find(({ name, typeKey }) => name === order.name && typeKey !== null);
    return [key, known ?? createField(world, site, { ...order, at })] as const;
  });
  return Object.fromEntries(made) as SeedFields;
}
