import { Link } from "@remix-run/react";
import { Download } from "lucide-react";
import { buttonClass } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { browseCopy as copy } from "#app/copy/browse.ts";
import { bytesText } from "#app/format/bytes.ts";
import { visibleName, visibleText } from "#app/format/visible-text.ts";
import { partPath, placeIn, type VersionRef } from "#app/version/address.ts";
import { MarkdownBody } from "#app/version/markdown-body.tsx";
import type { TreePage } from "#core/browsing/views.ts";

type FileAt = Extract<TreePage["at"], { type: "file" }>;

/** One file: text with line numbers, rendered Markdown, an image, or a message with the download. */
export function FileView({
  data,
  page,
  at,
  isSource,
}: {
  data: VersionRef;
  page: TreePage & { html: string | null };
  at: FileAt;
  isSource: boolean;
}) {
  const [path, ref] = [page.path, page.ref?.name ?? ""];
  return (
    <div className="file">
      <div className="row between file__head">
        <span className="meta">
          {bytesText(at.sizeBytes)}
          {at.body.type === "text" && `, ${copy.lines(linesOf(at.body.text))}`}
        </span>
        <span className="row">
          {(page.html !== null || isSource) && (
            <Link
              className={buttonClass({ size: "s" })}
              to={placeIn(data, "files", { in: page.view.id, ref, path, source: isSource ? null : "1" })}
            >
              {isSource ? copy.page : copy.source}
            </Link>
          )}
          <a
            className={buttonClass({ size: "s" })}
            href={partPath(data, { path, tree: page.view.id, ref })}
            download
          >
            <Download aria-hidden />
            {copy.download}
          </a>
        </span>
      </div>
      <FileBody data={data} page={page} at={at} />
    </div>
  );
}

function FileBody({
  data,
  page,
  at,
}: {
  data: VersionRef;
  page: TreePage & { html: string | null };
  at: FileAt;
}) {
  const { body } = at;
  switch (body.type) {
    case "image":
      return (
        <div className="file__image">
          <img
            src={partPath(data, {
              path: page.path,
              tree: page.view.id,
              ref: page.ref?.name ?? "",
              shown: "1",
            })}
            alt={visibleName(at.name)}
          />
        </div>
      );
    case "binary":
      return <Callout>{copy.binary}</Callout>;
    case "link":
      return <Callout>{copy.linkTo(visibleName(body.target))}</Callout>;
    case "text":
      if (page.html !== null) return <MarkdownBody html={page.html} text={null} />;
      return (
        <>
          {body.isCut && <Callout>{copy.cut}</Callout>}
          <div className="code-block code-lines">
            <pre aria-hidden>{numbersOf(linesOf(body.text))}</pre>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: -- long lines scroll, also by keyboard */}
            <pre tabIndex={0}>{visibleText(body.text)}</pre>
          </div>
        </>
      );
    default:
      return body satisfies never;
  }
}

function linesOf(text: string): number {
  const count = text.replace(/\r\n?/g, "\n").split("\n").length;
  return /[\r\n]$/.test(text) ? Math.max(1, count - 1) : count;
}

function numbersOf(count: number): string {
  return Array.from({ length: count }, (_, at) => at + 1).join("\n");
}
