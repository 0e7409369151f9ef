import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ServerData } from "#app/api/server-data.tsx";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { CopiedPlatforms } from "./copied-platforms.tsx";
import type { StorageOverview } from "./storage-calls.ts";

const NOW = Date.parse("2026-11-20T13:26:00Z");
const [first, second] = descriptors.map(({ id }) => id);
const copies: StorageOverview["platforms"][string] = {
  isConnectionActive: false,
  regionS3: "eu-central-1",
  storage: [],
  canChange: true,
  isOnPlan: true,
  stored: 0,
  waiting: 0,
  failed: 0,
  sizeBytes: 0,
  lastStoredAt: null,
};

/** The checkboxes in order, and the text of the lines. */
function shown(platforms: StorageOverview["platforms"]) {
  const markup = renderToStaticMarkup(
    <ServerData>
      <CopiedPlatforms
        kind="bucket"
        platforms={platforms}
        timeZone="UTC"
        now={NOW}
        onUpgrade={() => undefined}
        onSaved={async () => undefined}
      />
    </ServerData>,
  );
  const boxes = [...markup.matchAll(/<input[^>]*>/g)].map(([box]) => ({
    isOff: /\sdisabled=/.test(box),
    isTicked: /\schecked=/.test(box),
  }));
  const states = [...markup.matchAll(/-state">([^<]*)</g)].map(([, text]) => text);
  return { boxes, states };
}

test("[P-308] only boxes of platforms that the member manages can be ticked", () => {
  const { boxes, states } = shown({ [first!]: copies, [second!]: { ...copies, canChange: false } });
  expect(boxes.map(({ isOff }) => isOff)).toEqual([false, true]);
  expect(states[1]).toBe("Ask an owner for Read/Write");
});

test("a line says what is copied, when the last copy was made, and what is missing", () => {
  const lastStoredAt = Date.parse("2026-11-20T10:00:00Z");
  const busy = {
    ...copies,
    storage: ["bucket"],
    stored: 1_200,
    sizeBytes: 3.4e9,
    lastStoredAt,
    waiting: 2,
    failed: 1,
  };
  const { boxes, states } = shown({ [first!]: busy, [second!]: { ...copies, storage: ["bucket"] } });
  expect(boxes.map(({ isTicked }) => isTicked)).toEqual([true, true]);
  expect(states[0]?.replace(/\s/g, " ")).toMatch(
    /^1,200 versions, 3\.4 GB · last copy .*10:00 · 2 on the way · 1 not copied$/,
  );
  expect(states[1]).toBe("Nothing is copied yet.");
  expect(shown({ [first!]: copies }).states).toEqual(["not copied"]);
});
