import { expect, test } from "vitest";
import { fromUtf8 } from "#core/kernel/crypto.ts";
import type { MemorySnapshot } from "#tests/conformance/memory-snapshot.ts";
import { recordPaths } from "../record-paths.ts";
import { type ExportLimits, exportFiles } from "./export.ts";
import { pageHome, rowHome } from "./homes.ts";
import { openPages } from "./pages-view.ts";
import { id, piece, TestVersion } from "./test-version.ts";

const HOME = pageHome(id(1)).path;
const PICTURE = recordPaths.file(HOME, id(50));
const PHOTO = recordPaths.file(rowHome(id(11), id(20)).path, "property-pho-0");

function world(): TestVersion {
  const above = { above: recordPaths.page(HOME) };
  const kept = (path: string, name: string) => ({
    type: "file",
    name,
    file: { address: `https://f.example/${name}`, path },
  });
  const version = new TestVersion()
    .root("page", id(1))
    .page(id(1), "Operations / handbook", [
      { type: "heading_1", text: "Start" },
      { type: "child_page", id: id(2), facts: { title: "Depots" } },
      { type: "child_database", id: id(10), facts: { title: "Belts" } },
      { type: "image", facts: { ...kept(PICTURE, "belt (1).png"), caption: [piece("The belt")] } },
      { type: "callout", text: "Mind the belt.", facts: { icon: { type: "emoji", emoji: "⚠️" } } },
      { type: "toggle", text: "If the power fails", inside: [{ type: "paragraph", text: "Wait." }] },
      {
        type: "bulleted_list_item",
        text: "item",
        inside: [{ type: "callout", text: "in it", facts: { icon: null } }],
      },
      { type: "embed", facts: { url: "https://miro.com/a b" } },
    ])
    .page(id(2), "Depots", [{ type: "link_to_page", facts: { type: "page_id", page_id: id(20) } }], above)
    .page(id(3), "", [], { above: recordPaths.page(pageHome(id(2)).path) })
    .table(
      id(10),
      id(11),
      "Belts",
      {
        State: { id: "st", name: "State", type: "select", select: { options: [] } },
        Photo: { id: "pho", name: "Photo", type: "files", files: {} },
      },
      above,
    )
    .row(
      id(11),
      id(20),
      "=Belt 1",
      {
        State: { id: "st", type: "select", select: { name: "Running, fast", color: "green" } },
        Photo: { id: "pho", type: "files", files: [kept(PHOTO, "photo.png")] },
      },
      { blocks: [{ type: "paragraph", text: "Stops in frost." }], url: "https://www.notion.so/belt" },
    )
    .row(id(11), id(21), "Belt 2")
    .table(id(12), id(13), "Empty");
  version.stream(PICTURE, "belt (1).png", "picture", recordPaths.page(HOME));
  version.stream(PHOTO, "photo.png", "photo");
  version.comment(HOME, id(80), "Is this *true*?", { display_name: { resolved_name: "Nora" } });
  return version;
}

/** Files of the ZIP by path: our own with their text, others with the name of their entry. */
async function filesOf(snapshot: MemorySnapshot, limits?: ExportLimits): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for await (const file of exportFiles(snapshot, { name: "Operations" }, limits)) {
    expect(files.has(file.path), file.path).toBe(false);
    files.set(
      file.path,
      file.source === "bytes" ? fromUtf8(file.bytes) : `entry ${"entry" in file ? file.entry : ""}`,
    );
  }
  return files;
}

const BOOK = "pages/Operations _ handbook 00000001";

test("pages lie in folders of the pages above them, tables beside them, files in the folder of their page", async () => {
  const files = await filesOf(await world().take());
  expect([...files.keys()].filter((path) => !path.startsWith("metadata/"))).toEqual([
    "README.txt",
    `${BOOK}/000000000050 belt (1).png`,
    `${BOOK}.md`,
    `${BOOK}/Depots 00000002.md`,
    `${BOOK}/Depots 00000002/Untitled 00000003.md`,
    `${BOOK}/Belts 00000011/_Belt 1 00000020/operty-pho-0 photo.png`.replace("_Belt", "=Belt"),
    `${BOOK}/Belts 00000011/=Belt 1 00000020.md`,
    `${BOOK}/Belts 00000011.csv`,
    "pages/Empty 00000013.csv",
  ]);
  expect(files.get("metadata/roots.json")).toBe("entry roots.json");
  expect(files.has("metadata/state.json")).toBe(false);
});

test("a page is readable Markdown whose links lead to files of the ZIP", async () => {
  const files = await filesOf(await world().take());
  expect(files.get(`${BOOK}.md`)).toBe(
    `${[
      "# Operations / handbook",
      "# Start",
      "[Depots](Operations%20_%20handbook%2000000001/Depots%2000000002.md)",
      "[Belts](Operations%20_%20handbook%2000000001/Belts%2000000011.csv)",
      "![belt (1).png](Operations%20_%20handbook%2000000001/000000000050%20belt%20%281%29.png)",
      "The belt",
      "> ⚠️ Mind the belt.",
      "- If the power fails",
      "  Wait.",
      "- item",
      "   > in it",
      "_Notion shows something of another site here. It hands out the address only._ <https://miro.com/a%20b>",
      "## Comments",
      "> **Nora**, 2026-11-20 05:40 UTC\n>\n> Is this \\*true\\*?",
    ].join("\n\n")}\n`,
  );
  for (const [path, text] of files) {
    if (!path.endsWith(".md")) continue;
    for (const [, address] of text.matchAll(/\]\(([^)]+)\)/g)) {
      if (/^https?:/.test(address!)) continue;
      const target = new URL(address!, `http://zip/${path.split("/").map(encodeURIComponent).join("/")}`);
      expect(files.has(decodeURIComponent(target.pathname.slice(1))), address).toBe(true);
    }
  }
  expect(files.get(`${BOOK}/Depots 00000002.md`)).toContain("(Belts");
});

test("a table has a line for each row, with files by their path, and nothing that runs as a formula", async () => {
  const files = await filesOf(await world().take());
  expect(files.get(`${BOOK}/Belts 00000011.csv`)?.split("\r\n")).toEqual([
    "\ufeffName,Photo,State,Address at Notion",
    `'=Belt 1,${BOOK}/Belts 00000011/=Belt 1 00000020/operty-pho-0 photo.png,"Running, fast",https://www.notion.so/belt`,
    "Belt 2,,,",
    "",
  ]);
  expect(files.get("pages/Empty 00000013.csv")).toBe("\ufeffName,Address at Notion\r\n");
});

test("every entry of a version is in its ZIP, and equal versions give equal ZIPs", async () => {
  const snapshot = await world().take();
  const files = await filesOf(snapshot);
  const entries = [...files.values()].flatMap((text) => (text.startsWith("entry ") ? [text.slice(6)] : []));
  expect(entries.sort()).toEqual([...snapshot.entries.keys()].filter((path) => path !== "state.json").sort());
  expect(await filesOf(await world().take())).toEqual(files);
});

test("what does not fit is named, and a large table goes on in a second file", async () => {
  const version = new TestVersion().table(id(10), id(11), "Belts");
  for (let at = 0; at < 10; at += 1) version.row(id(11), id(20 + at), `Belt ${at}`);
  version.page(id(1), "Long", [{ type: "paragraph", text: "x".repeat(2_000) }]).page(id(2), "Short");
  const files = await filesOf(await version.take(), { bytes: 1_000, perFile: 40 });
  const tables = [...files.keys()].filter((path) => path.endsWith(".csv"));
  expect(tables.slice(0, 2)).toEqual(["pages/Belts 00000011.csv", "pages/Belts 00000011 2.csv"]);
  expect(tables.flatMap((path) => files.get(path)?.match(/Belt \d/g) ?? [])).toHaveLength(10);
  expect(files.get("LEFT-OUT.txt")).toContain("pages/Long 00000001.md");
  expect(files.has("pages/Short 00000002.md")).toBe(true);
});

test("the Markdown of one page names what the ZIP would have beside it", async () => {
  const pages = openPages(await world().take());
  const file = await pages.markdown?.(recordPaths.page(HOME));
  expect(file?.name).toBe("Operations / handbook.md");
  for (const text of [
    "# Operations / handbook",
    "Depots",
    "Belts",
    "(not beside this text)",
    "> ⚠️ Mind the belt.",
  ])
    expect(file?.text).toContain(text);
  expect(file?.text).not.toMatch(/\.md\)|\.csv\)|not in this version/);
  for (const path of [PICTURE, recordPaths.roots, recordPaths.page(pageHome(id(404)).path)])
    expect(await pages.markdown?.(path)).toBeNull();
});
