import { newAccountId } from "./ids.ts";
import { createProject, type ProjectOrder } from "./projects.ts";
import { fillFleetProject } from "./seed-fleet.ts";
import { fillProject } from "./seed-full.ts";
import { seedMaker } from "./seed-maker.ts";
import { ADMINISTRATORS } from "./sites.ts";
import type { JiraWorld, Person, Project, Site } from "./state.ts";

/** The places and people of the demo. */
export type DemoCast = Record<"meridian" | "harbour", Site> & Record<"nora" | "ivo" | "asa" | "lena", Person>;

/** When the projects of the demo were made. */
const BEGINNING = Date.parse("2026-02-02T08:00:00Z");
const DAY_MS = 86_400_000;

/** Creates the projects of the demo: one of each type, an empty one, an odd one, and one that Nora does not see. */
export function seedDemo(world: JiraWorld, cast: DemoCast): void {
  const { meridian, harbour, nora, ivo, asa, lena } = cast;
  const make = (site: Site, lead: Person, order: Omit<ProjectOrder, "leadId">) =>
    createProject(world, site, { leadId: lead.accountId, at: BEGINNING, ...order });
  const fleet = make(meridian, nora, {
    key: "OPS",
    name: "Fleet operations",
    description: "Routes, depots and everything between them.",
    template: "scrum",
  });
  fillFleetProject(world, meridian, fleet, [nora, ivo, asa]);
  const dispatch = make(meridian, nora, { key: "DIS", name: "Dispatch desk", template: "kanban" });
  fillDispatch(world, meridian, dispatch, cast);
  const yard = make(meridian, nora, { key: "YARD", name: "Yard and workshop", template: "team" });
  fillYard(world, meridian, yard, cast);
  fillHelp(
    world,
    meridian,
    make(meridian, nora, { key: "HELP", name: "Driver help desk", template: "service" }),
    cast,
  );
  fillBilling(
    world,
    meridian,
    make(meridian, nora, { key: "BILL", name: "Billing", template: "business" }),
    cast,
  );
  fillIdeas(
    world,
    meridian,
    make(meridian, nora, { key: "IDEA", name: "Ideas", template: "discovery" }),
    cast,
  );
  const odd = make(meridian, nora, {
    key: "CUST",
    name: "Таможня · 通関 📦 <b>“customs”</b>/../x",
    template: "scrum",
  });
  fillProject(world, meridian, odd, { by: nora, crew: [ivo, asa], startAt: Date.now() - 20 * DAY_MS });
  make(meridian, nora, { key: "EMPT", name: "Empty yard", template: "kanban" });
  const payroll = make(meridian, ivo, { key: "PAY", name: "Payroll", template: "business", isPrivate: true });
  seedMaker(world, meridian, payroll, BEGINNING).issue(ivo, { type: "Task", summary: "November wages" });
  const rota = make(harbour, lena, { key: "ROTA", name: "Harbour rota", template: "kanban" });
  rota.roleActors[ADMINISTRATORS]?.push({ kind: "user", accountId: nora.accountId });
  fillProject(world, harbour, rota, { by: lena, crew: [nora, ivo], startAt: Date.now() - 30 * DAY_MS });
}

function fillDispatch(world: JiraWorld, site: Site, project: Project, { nora, ivo, asa }: DemoCast): void {
  const maker = seedMaker(world, site, project, Date.now() - 25 * DAY_MS);
  const cards: readonly (readonly [summary: string, status: string, by: Person])[] = [
    ["Furniture for the Malmö store", "Done", ivo],
    ["Empty pallets back to Kiruna", "Done", ivo],
    ["Refrigerated fish, Narvik–Stockholm", "In Progress", asa],
    ["Timber to Rostock", "In Progress", ivo],
    ["Machine parts from Gdańsk", "Selected for Development", asa],
    ["Paper rolls to Hamburg", "Selected for Development", ivo],
    ["Toys for the Christmas fair", "Backlog", nora],
    ["Wind turbine blade, escort needed", "Backlog", nora],
  ];
  for (const [summary, status, by] of cards) {
    const issue = maker.issue(nora, {
      type: "Task",
      summary,
      fields: { assignee: { accountId: by.accountId } },
    });
    maker.moveTo(by, issue, status);
    if (status === "In Progress") maker.comment(by, issue, "On the road since this morning.");
  }
  const board = site.boards.find(({ projectId }) => projectId === project.id)!;
  board.columns[2]!.max = 5;
}

function fillYard(world: JiraWorld, site: Site, project: Project, { nora, ivo, asa }: DemoCast): void {
  const maker = seedMaker(world, site, project, Date.now() - 18 * DAY_MS);
  const epic = maker.issue(nora, { type: "Epic", summary: "A yard without puddles" });
  const parent = { id: epic.id };
  const drain = maker.issue(ivo, { type: "Story", summary: "Drain at gate 3", fields: { parent } });
  maker.issue(ivo, {
    type: "Subtask",
    summary: "Ask for three offers",
    fields: { parent: { id: drain.id } },
  });
  maker.moveTo(ivo, drain, "In Progress");
  maker.comment(asa, drain, "It froze over last night.");
  for (const summary of ["Light above the ramp", "Lift for lorry 7", "Order brake pads"]) {
    maker.issue(asa, { type: "Task", summary, fields: { labels: ["workshop"] } });
  }
  const done = maker.issue(ivo, { type: "Task", summary: "Sweep the hall" });
  maker.moveTo(ivo, done, "Done");
}

function fillHelp(world: JiraWorld, site: Site, project: Project, { nora, ivo, asa }: DemoCast): void {
  const maker = seedMaker(world, site, project, Date.now() - 12 * DAY_MS);
  const customer: Person = {
    accountId: newAccountId(),
    email: "driver.lind@roads.example",
    displayName: "Mats Lind",
    timeZone: "Europe/Stockholm",
    isActive: true,
    accountType: "customer",
  };
  world.state.people.push(customer);
  site.members.push({ accountId: customer.accountId, isAdmin: false, groupIds: [] });
  const requests = [
    "The tablet does not start",
    "New fuel card",
    "Route ends in a tunnel",
    "Wrong gate code",
  ];
  for (const [index, summary] of requests.entries()) {
    const type = index === 2 ? "Incident" : "Service request";
    const issue = maker.issue(nora, {
      type,
      summary,
      fields: { reporter: { accountId: customer.accountId } },
    });
    maker.comment(ivo, issue, "We look at it today.", { isPublic: true });
    maker.comment(asa, issue, "It is the third one this week.", { isPublic: false });
    if (index < 2) maker.moveTo(ivo, issue, "Resolved");
  }
}

function fillBilling(world: JiraWorld, site: Site, project: Project, { nora, ivo }: DemoCast): void {
  const maker = seedMaker(world, site, project, Date.now() - 10 * DAY_MS);
  for (const [summary, status] of [
    ["Close October", "Done"],
    ["Tolls of the Öresund bridge", "In Progress"],
    ["Ask the bank about SEPA", "To Do"],
  ] as const) {
    const issue = maker.issue(nora, { type: "Task", summary, fields: { duedate: "2026-11-30" } });
    maker.moveTo(ivo, issue, status);
  }
}

function fillIdeas(world: JiraWorld, site: Site, project: Project, { nora, asa }: DemoCast): void {
  const maker = seedMaker(world, site, project, Date.now() - 8 * DAY_MS);
  for (const [summary, status] of [
    ["Electric lorry for the city", "Discovery"],
    ["Customers follow their lorry", "Delivery"],
    ["Own brand of pallets", "Parking lot"],
  ] as const) {
    const issue = maker.issue(asa, { type: "Idea", summary, text: "Somebody asks for it every month." });
    maker.moveTo(nora, issue, status);
    issue.voterIds.push(nora.accountId);
  }
}
