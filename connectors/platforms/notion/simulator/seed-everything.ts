import { paintPicture } from "#connectors/toolkit/simulator/paint-picture.ts";
import { inline, pageMention, type SeedKit, text } from "./seed-kit.ts";
import type { Fields, Page } from "./state.ts";

type Crew = { by: string; other: string };

/**
 * A page with a block of every type, text with every mark, and files. Nested as Notion allows it: toggles in toggles,
 * columns, tabs, tables.
 * @param parentId null = at the top of the workspace
 */
export function seedEverything(kit: SeedKit, parentId: string | null, title: string, crew: Crew): Page {
  const { by, other } = crew;
  const picture = kit.file(
    "harbour.png",
    "image/png",
    paintPicture({ sky: [120, 170, 220], land: [60, 90, 70] }),
  );
  const page = kit.page(by, parentId, title, { icon: { type: "emoji", emoji: "🗺️" }, cover: picture });
  const { id } = page;
  seedTexts(kit, page, crew);
  seedNested(kit, page, crew);
  seedMedia(kit, page, by);
  seedOdd(kit, page, crew);
  const talk = kit.comment(other, id, "Is this still how we do it?");
  kit.comment(by, id, [text("Yes, since "), text("May", { bold: true })], talk.discussionId);
  return page;
}

function seedTexts(kit: SeedKit, { id }: Page, { by, other }: Crew): void {
  const name = kit.world.state.people.find((person) => person.id === other)?.name ?? "";
  const user = { object: "user", id: other };
  kit.write(by, id, "heading_1", "What happens before a lorry leaves", { is_toggleable: false });
  kit.write(by, id, "paragraph", [
    text("Weigh it, "),
    text("seal it", { bold: true, italic: true, color: "red" }),
    text(", ", { strikethrough: true, underline: true }),
    text("axle_load()", { code: true }),
    text(", and read "),
    text("the rules", {}, "https://meridian.example/rules?a=1&b=2"),
    text(". Ask "),
    inline("mention", { type: "user", user }, `@${name}`),
    text(" until "),
    inline(
      "mention",
      { type: "date", date: { start: "2026-11-30", end: null, time_zone: null } },
      "2026-11-30",
    ),
    text(": "),
    inline("equation", { expression: "F = m \\cdot a" }, "F = m \\cdot a"),
  ]);
  kit.write(by, id, "heading_2", "Таможня · 通関 📦 <b>“customs”</b>", {
    is_toggleable: false,
    color: "blue_background",
  });
  kit.write(by, id, "heading_3", "Papers", { is_toggleable: false });
  kit.write(by, id, "heading_4", "Copies", { is_toggleable: false });
  for (const item of ["CMR waybill", "Invoice", "Seal number"]) kit.write(by, id, "bulleted_list_item", item);
  for (const item of ["Engine off", "Chocks", "Ramp"]) kit.write(by, id, "numbered_list_item", item);
  kit.write(by, id, "to_do", "Call the ferry", { checked: true });
  kit.write(by, id, "to_do", "Print the list of drivers", { checked: false });
  kit.write(by, id, "quote", "Slow is smooth, smooth is fast.");
  kit.write(by, id, "callout", "Brakes are checked twice.", {
    icon: { type: "emoji", emoji: "⚠️" },
    color: "yellow_background",
  });
  kit.block(by, id, "code", {
    rich_text: [text("SELECT lorry FROM fleet\nWHERE axle_load > 11.5;")],
    ...{ caption: [text("the nightly check")], language: "sql" },
  });
  kit.block(by, id, "equation", { expression: "v = \\frac{s}{t}" });
  kit.block(by, id, "divider", {});
}

function seedNested(kit: SeedKit, { id }: Page, { by, other }: Crew): void {
  const outer = kit.write(by, id, "toggle", "At the border");
  const inner = kit.write(by, outer.id, "toggle", "When the queue is long");
  const deepest = kit.write(by, inner.id, "bulleted_list_item", "Ring the office");
  kit.write(by, deepest.id, "paragraph", "Extension 12, day and night.");
  kit.comment(other, deepest.id, "12 is now 21.");
  const heading = kit.write(by, id, "heading_2", "Folded away", { is_toggleable: true });
  kit.write(by, heading.id, "paragraph", "Old routes.");
  const columns = kit.block(by, id, "column_list", {});
  for (const [share, side] of [
    [0.6, "North"],
    [0.4, "South"],
  ] as const) {
    const column = kit.block(by, columns.id, "column", { width_ratio: share });
    kit.write(by, column.id, "paragraph", `${side} quay`);
    const pageInColumn = kit.page(by, column.id, `${side} quay, berths`);
    kit.write(by, pageInColumn.id, "paragraph", "Berths 1 to 4.");
  }
  kit.table(by, id, [
    ["Route", "Hours", "Ferry"],
    ["Göteborg–Kiel", "14", "yes"],
    ["Malmö–Rostock", "6", ""],
  ]);
  const original = kit.block(by, id, "synced_block", { synced_from: null });
  kit.write(by, original.id, "paragraph", "Opening hours: 6 to 22.");
  kit.block(by, id, "synced_block", { synced_from: { type: "block_id", block_id: original.id } });
  const below = kit.page(by, id, "Winter rules", { isLocked: true, icon: { type: "emoji", emoji: "❄️" } });
  kit.write(by, below.id, "paragraph", "Chains from November.");
  const deeper = kit.page(by, below.id, "Chains");
  kit.write(by, deeper.id, "paragraph", "Sizes and where they hang.");
  kit.block(by, id, "link_to_page", { type: "page_id", page_id: below.id });
  kit.write(by, id, "paragraph", [text("See "), pageMention(kit.world, below.id, "Winter rules")]);
}

function seedMedia(kit: SeedKit, { id }: Page, by: string): void {
  const bytes = (content: string) => new TextEncoder().encode(content);
  const kept = (name: string, type: string, content: string) => kit.file(name, type, bytes(content));
  const picture = paintPicture({ sky: [200, 180, 160], land: [90, 70, 60] });
  kit.block(by, id, "image", {
    ...kit.file("yard map.png", "image/png", picture),
    caption: [text("the yard")],
  });
  kit.block(by, id, "image", {
    type: "external",
    external: { url: "https://meridian.example/logo.png" },
    caption: [],
  });
  kit.block(by, id, "video", { ...kept("ramp.mp4", "video/mp4", "moving pictures of a ramp"), caption: [] });
  kit.block(by, id, "audio", { ...kept("horn.mp3", "audio/mpeg", "a horn"), caption: [] });
  kit.block(by, id, "pdf", { ...kept("tariff.pdf", "application/pdf", "%PDF-1.4 tariff"), caption: [] });
  kit.block(by, id, "file", {
    ...kept("weights.csv", "text/csv", "lorry,t\n7,11.5\n"),
    caption: [],
    name: "weights.csv",
  });
  kit.block(by, id, "bookmark", { url: "https://meridian.example/ferries", caption: [text("ferries")] });
  kit.block(by, id, "embed", { url: "https://maps.example/harbour", caption: [] });
}

/** What the API shows and does not make, or makes in another way. */
function seedOdd(kit: SeedKit, { id }: Page, { by, other }: Crew): void {
  kit.block(by, id, "table_of_contents", { color: "gray" });
  kit.block(by, id, "breadcrumb", {});
  kit.block(by, id, "link_preview", { url: "https://github.example/meridian/routes/pull/7" });
  kit.block(by, id, "unsupported", { block_type: "button" });
  const tabs = kit.block(by, id, "tab", {});
  for (const name of ["Summer", "Winter"]) {
    const tab = kit.write(by, tabs.id, "paragraph", name);
    kit.write(by, tab.id, "bulleted_list_item", `${name} tyres`);
  }
  const button = kit.block(by, id, "template", { rich_text: [text("Add a check")] });
  kit.write(by, button.id, "to_do", "Check the brakes", { checked: false });
  const notes = kit.block(by, id, "transcription", {
    ...{ title: [text("Monday by the map")], status: "notes_ready" },
    calendar_event: { start_time: "2026-11-02T08:00:00.000Z", end_time: "2026-11-02T08:30:00.000Z" },
  });
  const part = (content: string) => kit.write(by, notes.id, "paragraph", content).id;
  notes.payload.children = {
    ...{ summary_block_id: part("Two lorries to Kiel."), notes_block_id: part("Ask about the ferry.") },
    transcript_block_id: part("So, who drives on Tuesday?"),
  };
  seedMentions(kit, id, { by, other });
  kit.write(by, id, "paragraph", "");
}

function seedMentions(kit: SeedKit, id: string, { by, other }: Crew): void {
  const mention = (value: Fields, plain: string, href: string | null = null) =>
    inline("mention", value, plain, href);
  const custom_emoji = kit.emoji("ferry", paintPicture({ sky: [200, 220, 240], land: [30, 60, 50] }));
  const link = "https://ferries.example/timetable";
  const said = kit.write(by, id, "paragraph", [
    mention({ type: "custom_emoji", custom_emoji }, ":ferry:"),
    mention({ type: "link_mention", link_mention: { href: link, title: "Timetable" } }, link, link),
    mention({ type: "link_preview", link_preview: { url: link } }, link, link),
    mention(
      {
        type: "template_mention",
        template_mention: { type: "template_mention_date", template_mention_date: "today" },
      },
      "@Today",
    ),
    mention(
      { type: "date", date: { start: "2026-12-01T08:00:00.000+01:00", end: null, time_zone: null } },
      "8:00",
    ),
  ]);
  const comment = kit.comment(other, said.id, [
    text("See "),
    mention({ type: "user", user: { object: "user", id: by } }, "@you"),
  ]);
  const { file } = kit.file("timetable.pdf", "application/pdf", new TextEncoder().encode("%PDF ferries"));
  comment.attachments.push({ category: "pdf", file: file ?? null });
  const page = kit.page(by, id, "Ferries", { icon: { type: "custom_emoji", custom_emoji } });
  kit.page(by, page.id, "Boats", { icon: { type: "icon", icon: { name: "anchor", color: "blue" } } });
  const cover = { type: "external", external: { url: "https://meridian.example/sea.jpg" } };
  const picture = kit.file(
    "sign.png",
    "image/png",
    paintPicture({ sky: [250, 250, 250], land: [200, 0, 0] }),
  );
  kit.page(by, page.id, "Signs", { icon: picture, cover });
}
