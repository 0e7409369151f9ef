import { Link } from "@remix-run/react";
import { FileText, Table2, Unlink } from "lucide-react";
import { browseCopy as copy } from "#app/copy/browse.ts";
import { visibleName } from "#app/format/visible-text.ts";
import type { Tint } from "#connectors/contract/page-block.ts";
import type { TableRows } from "#core/browsing/views.ts";
import { placeIn, type VersionRef } from "./address.ts";
import { FileLine, WebLink } from "./file-list.tsx";
import { InlineTable } from "./inline-table.tsx";
import { MarkdownBody } from "./markdown-body.tsx";
import type { Times } from "./note-list.tsx";
import { PartPicture } from "./part-picture.tsx";
import type { ShownBlock } from "./shown-texts.server.ts";

/** Names of files that a page shows. Whether one is a picture, its bytes decide. */
const PICTURE = /\.(?:png|jpe?g|gif|webp)$/i;

type Place = {
  data: VersionRef & Times;
  /** Id of the view with the pages and tables that blocks link to. */
  view: string;
  /** The tables that are shown with their first rows, by their ids. */
  tables: Readonly<Record<string, TableRows>>;
};

/** The blocks of a page or row. A block that is not in the version keeps its place. */
export function BlockList({ blocks, ...place }: Place & { blocks: readonly ShownBlock[] }) {
  if (blocks.length === 0) return <p className="soft">{copy.noText}</p>;
  return <Blocks {...place} blocks={blocks} />;
}

function Blocks({ blocks, ...place }: Place & { blocks: readonly ShownBlock[] }) {
  return blocks.map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: -- a block is its place on the page
    <Block key={index} block={block} {...place} />
  ));
}

function Block({ block, ...place }: Place & { block: ShownBlock }) {
  const { data, view, tables } = place;
  switch (block.type) {
    case "text": {
      const body = <MarkdownBody html={block.html} text={block.text} />;
      return block.tint === undefined ? body : <div className={tintClass(block.tint)}>{body}</div>;
    }
    case "file":
      return (
        <div className="block-file">
          {block.file.path !== null && PICTURE.test(block.file.name) && (
            <div className="block-file__picture">
              <PartPicture data={data} path={block.file.path} alt={visibleName(block.file.name)} />
            </div>
          )}
          <FileLine data={data} file={block.file} />
        </div>
      );
    case "inset":
      return (
        <div className={`block-inset is-${block.look} ${tintClass(block.tint)}`}>
          {block.icon !== null && <span className="block-inset__icon">{visibleName(block.icon)}</span>}
          <div className="block-stack">
            <Blocks {...place} blocks={block.blocks} />
          </div>
        </div>
      );
    case "toggle":
      return (
        <details className={`block-toggle ${tintClass(block.tint)}`}>
          <summary>
            <MarkdownBody html={block.html} text={block.title} />
          </summary>
          <div className="block-stack">
            <Blocks {...place} blocks={block.blocks} />
          </div>
        </details>
      );
    case "columns": {
      const shares = block.columns.map(({ share }) => `minmax(0, ${share}fr)`).join(" ");
      return (
        <div className="block-columns" style={{ "--shares": shares } as React.CSSProperties}>
          {block.columns.map(({ blocks }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: -- a column is its place on the page
            <div key={index} className="block-stack">
              <Blocks {...place} blocks={blocks} />
            </div>
          ))}
        </div>
      );
    }
    case "absent":
      return (
        <p className="block-absent">
          <Unlink className="icon-s" aria-hidden />
          <span>
            {visibleName(block.reason)} {block.url !== null && <WebLink url={block.url} />}
          </span>
        </p>
      );
    default: {
      const table = block.type === "table" && block.isInline ? tables[block.id] : undefined;
      if (table !== undefined)
        return <InlineTable data={data} view={view} id={block.id} title={block.title} table={table} />;
      const Icon = block.type === "page" ? FileText : Table2;
      const target = block.type === "page" ? { part: block.id } : { table: block.id };
      return (
        <p className="row">
          <Icon className="icon-s soft" aria-hidden />
          <Link className="link" dir="auto" to={placeIn(data, "pages", { in: view, ...target })}>
            {visibleName(block.title) || copy.nameless}
          </Link>
        </p>
      );
    }
  }
}

function tintClass(tint: Tint | undefined): string {
  return tint === undefined ? "" : `hue-${tint.hue} has-${tint.on}`;
}
