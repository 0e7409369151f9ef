import { expect, test } from "vitest";
import { type OpenVersion, readBoardPage } from "#core/browsing/index.ts";
import { boardView } from "#core/exports/viewer/test-views.ts";
import { renderScreen, textOf } from "#tests/harness/render-screen.tsx";
import { CardBody } from "../_app.platform.backups.$platform_.version.board.card/card-body.tsx";
import { readCard } from "../_app.platform.backups.$platform_.version.board.card/queries.server.ts";
import { BoardFrame } from "./board-frame.tsx";

const version = { connector: { views: async () => [boardView(3)] }, view: {} } as unknown as OpenVersion;
const inside = {
  ...{ platform: "waterfront", itemId: "itm_1", snapshotId: "snp_1", problem: null, parts: {} },
  ...{ timeZone: "UTC", now: Date.UTC(2026, 10, 23) },
};
const NO_NOTES = { commentsAfter: null, historyAfter: null };
/** Words of another platform. The cards of the test have names such as "Card 2". */
const OTHERS = /\bcards?\b(?! \d)|\blists?\b|\bmembers?\b/i;
const everything = { view: null, search: null, hasArchived: false };

async function boardWith(search: string | null): Promise<string> {
  const page = await readBoardPage(version, { viewId: null, search, hasArchived: false });
  const data = { ...inside, page: null };
  return renderScreen(
    <BoardFrame data={data} board={{ ...page, html: null }} shown={{ ...everything, search }} />,
  );
}

test("a board speaks the words of its platform", async () => {
  const markup = await boardWith(null);
  expect(markup).toContain('aria-label="To do, 2\u00a0tickets"');
  expect(markup).toContain('aria-label="Search tickets"');
  const none = textOf(await boardWith("nowhere"));
  expect(none).toContain('No ticket has "nowhere" in it.');
  expect(`${textOf(markup)} ${none}`).not.toMatch(OTHERS);
});

test("an opened card speaks the words of its platform", async () => {
  const page = await readCard(version, { ...NO_NOTES, viewId: null, cardId: "c1" });
  const text = textOf(renderScreen(<CardBody data={{ ...inside, page }} shown={everything} />));
  expect(text).toContain("Lane To do");
  expect(text).toContain("Crew Nora Lindqvist");
  expect(text).not.toMatch(OTHERS);
});
