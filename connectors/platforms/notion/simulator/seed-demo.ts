import { DAY_MS } from "#core/kernel/clock.ts";
import type { Cast } from "./seed-cast.ts";
import { seedEverything } from "./seed-everything.ts";
import { seedFleet } from "./seed-fleet.ts";
import { chosen, option, pageMention, type SeedKit, seedKit, text } from "./seed-kit.ts";
import type { NotionWorld } from "./state.ts";

/** The workspaces of the demo: a handbook, the fleet, a wiki, plans and notes; and a small one of the harbour's. */
export function seedDemo(world: NotionWorld, { nora, ivo, asa, lena, meridian, harbour }: Cast): void {
  const kit = seedKit(world, meridian.id, Date.now() - 40 * DAY_MS);
  const crew = { by: nora.id, other: ivo.id };
  const handbook = kit.page(nora.id, null, "Handbook", { icon: { type: "emoji", emoji: "📗" } });
  kit.write(nora.id, handbook.id, "paragraph", "How we drive, load and bill.");
  const loading = seedEverything(kit, handbook.id, "Loading and leaving", crew);
  seedHandbook(kit, handbook.id, loading.id, [nora.id, ivo.id, asa.id]);
  const { database } = seedFleet(kit, null, crew);
  kit.block(nora.id, handbook.id, "link_to_page", { type: "database_id", database_id: database.id });
  seedPlans(kit, [nora.id, ivo.id, asa.id]);
  seedWiki(kit, [nora.id, asa.id]);
  kit.page(nora.id, null, "Таможня · 通関 📦 <b>“customs”</b>/../x");
  const old = kit.page(ivo.id, null, "Winter 2023");
  kit.write(ivo.id, old.id, "paragraph", "Thrown away in spring.");
  old.isTrashed = true;
  const quay = seedKit(world, harbour.id, Date.now() - 30 * DAY_MS);
  const rota = quay.page(lena.id, null, "Harbour rota", { icon: { type: "emoji", emoji: "⚓" } });
  quay.write(lena.id, rota.id, "to_do", "Crane course for Mats", { checked: false });
  quay.comment(nora.id, rota.id, "Tuesday works for us.");
}

function seedHandbook(
  kit: SeedKit,
  id: string,
  loadingId: string,
  [nora, ivo, asa]: [string, string, string],
): void {
  const driving = kit.page(ivo, id, "Driving and rest", { icon: { type: "emoji", emoji: "🛣️" } });
  kit.write(ivo, driving.id, "callout", "Nine hours a day, ten twice a week.", {
    icon: { type: "emoji", emoji: "⏱️" },
  });
  kit.table(ivo, driving.id, [
    ["After", "Break"],
    ["4.5 h", "45 min"],
    ["9 h", "11 h of rest"],
  ]);
  for (const country of ["Sweden", "Denmark", "Germany", "Poland"]) {
    const page = kit.page(asa, driving.id, `Rules in ${country}`);
    kit.write(
      asa,
      page.id,
      "paragraph",
      `What is different in ${country}: Sunday bans, tolls, winter tyres.`,
    );
  }
  const billing = kit.page(nora, id, "Billing", { icon: { type: "emoji", emoji: "🧾" } });
  for (const step of ["Waybill is signed", "Kilometres are checked", "Invoice goes out within two days"])
    kit.write(nora, billing.id, "numbered_list_item", step);
  const note = kit.write(nora, billing.id, "paragraph", [
    text("Before that: "),
    pageMention(kit.world, loadingId, "Loading and leaving"),
  ]);
  kit.comment(asa, note.id, "Who signs when the yard is closed?");
}

/** A table of projects, inline in a page, with a relation of its own. */
function seedPlans(kit: SeedKit, [nora, ivo, asa]: [string, string, string]): void {
  const home = kit.page(nora, null, "Plans", { icon: { type: "emoji", emoji: "🧭" } });
  kit.write(nora, home.id, "paragraph", "What we want to get done this year.");
  const stages = [
    option("s-1", "Idea", "gray"),
    option("s-2", "Doing", "blue"),
    option("s-3", "Done", "green"),
  ];
  const { database, source } = kit.database(
    ...([nora, home.id, "Projects"] as const),
    {
      title: { name: "Project", type: "title" },
      stge: { name: "Stage", type: "select", select: { options: stages } },
      ownr: { name: "Owner", type: "people" },
      "due%3D": { name: "Due", type: "date" },
      budg: { name: "Budget", type: "number", number: { format: "euro" } },
    },
    { isInline: true },
  );
  source.properties.blck = {
    ...{ id: "blck", name: "Waits for", description: null, type: "relation" },
    relation: {
      database_id: database.id,
      data_source_id: source.id,
      type: "single_property",
      single_property: {},
    },
  };
  kit.view(nora, database, source.id, {
    name: "Table",
    type: "table",
    configuration: { type: "table" },
  });
  const before: string[] = [];
  for (const [title, stage, owner, due] of [
    ["A yard without puddles", "Doing", ivo, "2026-12-18"],
    ["Electric lorry, first tests", "Idea", nora, "2027-03-01"],
    ["Ferry contracts", "Done", asa, "2026-10-31"],
    ["New weighbridge", "Doing", ivo, "2027-01-15"],
  ] as const) {
    const row = kit.row(nora, source, {
      ...{ title, stge: chosen(source.properties.stge, stage), ownr: [{ object: "user", id: owner }] },
      ...{ "due%3D": { start: due, end: null, time_zone: null }, budg: 12_500 },
      blck: before.slice(-1).map((id) => ({ id })),
    });
    kit.write(owner, row.id, "paragraph", `${title}: offers are in the folder.`);
    before.push(row.id);
  }
}

/** A wiki: a database of pages with an owner and a verification. */
function seedWiki(kit: SeedKit, [nora, asa]: [string, string]): void {
  const icon = { type: "emoji", emoji: "📚" };
  const { database, source } = kit.database(
    ...([nora, null, "Wiki"] as const),
    {
      title: { name: "Page", type: "title" },
      ownW: { name: "Owner", type: "people" },
      verf: { name: "Verification", type: "verification" },
    },
    { icon },
  );
  kit.view(nora, database, source.id, {
    name: "All",
    type: "table",
    configuration: { type: "table" },
  });
  for (const title of ["Where the keys hang", "How to order parts", "Who to call at night"]) {
    const row = kit.row(asa, source, {
      ...{ title, ownW: [{ object: "user", id: asa }] },
      verf: { state: "unverified", date: null, verified_by: null },
    });
    kit.write(asa, row.id, "paragraph", `${title}: see the board by the door.`);
    const below = kit.page(asa, row.id, `${title}, in pictures`);
    kit.write(asa, below.id, "paragraph", "Photographs follow.");
  }
}
