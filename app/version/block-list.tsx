import { Link } from "@remix-run/react";
import { FileText, Table2, Unlink } from "lucide-react";
import { browseCopy as copy } from "#app/copy/browse.ts";
import { visibleName } from "#app/format/visible-text.ts";
import { placeIn, type VersionRef } from "./address.ts";
import { FileLine, WebLink } from "./file-list.tsx";
import { MarkdownBody } from "./markdown-body.tsx";
import { PartPicture } from "./part-picture.tsx";
import type { ShownBlock } from "./shown-texts.server.ts";

/** Names of files that a page shows. Whether one is a picture, its bytes decide. */
const PICTURE = /\.(?:png|jpe?g|gif|webp)$/i;

/** The blocks of a page or row. A block that is not in the version keeps its place. */
export function BlockList({
  data,
  view,
  blocks,
}: {
  data: VersionRef;
  /** Id of the view with the pages and tables that blocks link to. */
  view: string;
  blocks: readonly ShownBlock[];
}) {
  if (blocks.length === 0) return <p className="soft">{copy.noText}</p>;
  return blocks.map((block, index) => {
    switch (block.type) {
      case "text":
        // biome-ignore lint/suspicious/noArrayIndexKey: -- a block is its place on the page
        return <MarkdownBody key={index} html={block.html} text={block.text} />;
      case "file":
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: -- a block is its place on the page
          <div key={index} className="block-file">
            {block.file.path !== null && PICTURE.test(block.file.name) && (
              <div className="block-file__picture">
                <PartPicture data={data} path={block.file.path} alt={visibleName(block.file.name)} />
              </div>
            )}
            <FileLine data={data} file={block.file} />
          </div>
        );
      case "absent":
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: -- a block is its place on the page
          <p key={index} className="block-absent">
            <Unlink className="icon-s" aria-hidden />
            <span>
              {visibleName(block.reason)} {block.url !== null && <WebLink url={block.url} />}
            </span>
          </p>
        );
      default: {
        const Icon = block.type === "page" ? FileText : Table2;
        const place = block.type === "page" ? { part: block.id } : { table: block.id };
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: -- a block is its place on the page
          <p key={index} className="row">
            <Icon className="icon-s soft" aria-hidden />
            <Link className="link" dir="auto" to={placeIn(data, "pages", { in: view, ...place })}>
              {visibleName(block.title) || copy.nameless}
            </Link>
          </p>
        );
      }
    }
  });
}
