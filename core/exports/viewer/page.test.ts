import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { ViewerCover } from "./data.ts";
import { viewerPage } from "./page.ts";

const HOSTILE = "</script><img src=x onerror=alert(1)>";

const COVER: ViewerCover = {
  title: HOSTILE,
  platform: "Waterfront",
  kind: "board",
  place: `]]><!--<script>${HOSTILE}`,
  takenAt: 1,
  leftOut: { kinds: [HOSTILE], things: [{ path: HOSTILE, reason: HOSTILE }], count: 1 },
  checksum: "abc",
  views: [{ kind: "board", label: HOSTILE, count: 3 }],
};

test("the page makes no request and runs only its own program and the files beside it", async () => {
  const html = await viewerPage(COVER);
  const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1] ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|\*|https?:|data:|blob:/);
  for (const [tag, directive] of [
    ["script", "script-src"],
    ["style", "style-src"],
  ] as const) {
    const text = new RegExp(`<${tag}>(.*?)</${tag}>`, "s").exec(html)?.[1] ?? "";
    const digest = createHash("sha256").update(text).digest("base64");
    expect(policy).toContain(`${directive} 'sha256-${digest}'`);
  }
  // User content appears only in the title and the cover.
  expect(html.replace(/<title>.*?<\/title>|id="cover">.*?<\/script>/gs, "")).not.toMatch(
    /\b(src|href)=|@import|url\(|innerHTML|insertAdjacent|document\.write|\beval\b|new Function|fetch\(/,
  );
});

test("names, places and reasons of a version are escaped", async () => {
  const html = await viewerPage(COVER);
  expect(html.match(/<script/g)).toHaveLength(2);
  expect(html).not.toMatch(/<img|<!--/);
  const json = /id="cover">(.*?)<\/script>/s.exec(html)?.[1] ?? "";
  expect(JSON.parse(json)).toEqual(COVER);
});
