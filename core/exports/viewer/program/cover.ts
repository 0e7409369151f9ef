import type { ViewerCover, ViewerLeftOut } from "../data.ts";
import { add, make } from "./dom.ts";
import { brandMark, icon, logoMark } from "./icons.ts";
import { momentText, shortHash, timeText } from "./words.ts";

/** What the page is a backup of, whether it was checked, and a box of facts. */
export function coverElement(cover: ViewerCover): HTMLElement {
  const { title, platform, logo, kind, place, verifiedAt } = cover;
  const what = [`${platform} ${kind}`, place].filter(Boolean).join(", ");
  const checked =
    verifiedAt !== undefined &&
    make("span", "verified", icon("verified"), `Verified ${timeText(verifiedAt)}`);
  return make(
    "header",
    "cover",
    make(
      "div",
      "",
      make("p", "brand", brandMark(), "Holdfast"),
      make("h1", "", make("small", "", "Backup of "), title),
      make("p", "what", make("span", "source", logo !== undefined && logoMark(logo), what), checked),
    ),
    factsElement(cover),
  );
}

function factsElement({ takenAt, inside, leftOut, checksum }: ViewerCover): HTMLElement {
  const list = make("dl", "", make("dt", "", "Taken"), make("dd", "mono", momentText(takenAt)));
  if (inside !== undefined) add(list, make("dt", "", "Inside"), make("dd", "", inside.join(", ")));
  if (leftOut !== undefined) add(list, make("dt", "", "Left out"), make("dd", "", leftOutElement(leftOut)));
  const short = shortHash(checksum);
  const hash =
    short === checksum ? `sha256 ${checksum}` : folded(`sha256 ${short}`, make("span", "", checksum));
  return add(list, make("dt", "", "Checksum"), make("dd", "mono", hash));
}

function leftOutElement({ kinds, things, count }: ViewerLeftOut): HTMLElement {
  const words =
    kinds.length > 0 ? `Some ${kinds.join(", some ")}` : `${count.toLocaleString("en-US")} things`;
  if (things.length === 0) return make("span", "", words);
  const lines = things.map(({ path, reason }) =>
    make("li", "", make("span", "mono", path), make("span", "", reason)),
  );
  const more = count - things.length;
  return folded(
    words,
    make("ul", "plain left-out", ...lines),
    more > 0 && make("p", "soft", `${more.toLocaleString("en-US")} more`),
  );
}

function folded(words: string, ...inside: Parameters<typeof add>[1][]): HTMLElement {
  return make("details", "", make("summary", "", words), ...inside);
}

/** What the page does not do, and how its content gets back. */
export function footElement({ platform, title }: ViewerCover): HTMLElement {
  return make(
    "footer",
    "viewer__foot",
    make("span", "", "This page works without a network and sends nothing. Times are in UTC."),
    make("span", "", `Read only. To bring it back: Holdfast, ${platform}, ${title}, Restore.`),
  );
}
