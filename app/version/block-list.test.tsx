import { expect, test } from "vitest";
import type { PageBlock } from "#connectors/contract/page-block.ts";
import { renderScreen } from "#tests/harness/render-screen.tsx";
import { BlockList } from "./block-list.tsx";
import { shownBlocks } from "./shown-texts.server.ts";

const data = { platform: "slate", itemId: "itm_1", snapshotId: "snp_1" };
const shown = (...blocks: PageBlock[]) =>
  renderScreen(<BlockList data={data} view="pages" blocks={shownBlocks(blocks)} />);
const text = (words: string): PageBlock => ({ type: "text", text: words });

test("a toggle is folded below its title, and what is inside can be anything", () => {
  const markup = shown({
    ...{ type: "toggle", title: "## If the **power** fails" },
    blocks: [text("Wait."), { type: "page", id: "p1", title: "Diesel" }],
  });
  expect(markup).toMatch(
    /<details class="block-toggle ?"><summary>.*<h4>If the <strong>power<\/strong> fails/,
  );
  expect(markup).toMatch(/<p>Wait\.<\/p>.*part=p1/);
});

test("a box has its sign and colour, and columns share the width", () => {
  const box: PageBlock = { type: "inset", look: "box", icon: "⚠️", blocks: [text("Mind the belt.")] };
  const markup = shown(
    { ...box, tint: { hue: "red", on: "ground" } },
    {
      type: "columns",
      columns: [
        { share: 1, blocks: [text("Left")] },
        { share: 0.5, blocks: [text("Right")] },
      ],
    },
  );
  expect(markup).toContain('class="block-inset is-box hue-red has-ground"');
  expect(markup).toContain("--shares:minmax(0, 1fr) minmax(0, 0.5fr)");
  expect(markup.indexOf("Left")).toBeLessThan(markup.indexOf("Right"));
});
