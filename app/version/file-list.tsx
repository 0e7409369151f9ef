import { ArrowUpRight, Download } from "lucide-react";
import { buttonClass } from "#app/components/button.tsx";
import { browseCopy as copy } from "#app/copy/browse.ts";
import { bytesText } from "#app/format/bytes.ts";
import { visibleName } from "#app/format/visible-text.ts";
import type { FileLink } from "#connectors/contract/field.ts";
import { partPath, type VersionRef } from "./address.ts";

/** Files of the version to download, and links. */
export function FileList({ data, files }: { data: VersionRef; files: readonly FileLink[] }) {
  return (
    <ul className="card-files">
      {files.map((file, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: -- two files may have one name
        <li key={index}>
          <FileLine data={data} file={file} />
        </li>
      ))}
    </ul>
  );
}

/** One file with its size and its download, or a link. */
export function FileLine({
  data,
  file: { name, path, url, sizeBytes },
}: {
  data: VersionRef;
  file: FileLink;
}) {
  return (
    <>
      <span className="clip" dir="auto" title={visibleName(name)}>
        {visibleName(name)}
      </span>
      {path !== null && sizeBytes !== null && <span className="mono-meta">{bytesText(sizeBytes)}</span>}
      {path !== null && (
        <a className={buttonClass({ size: "s" })} href={partPath(data, { path })} download>
          <Download aria-hidden />
          <span aria-hidden>{copy.download}</span>
          <span className="sr">{copy.downloadOf(visibleName(name))}</span>
        </a>
      )}
      {path === null && url !== null && <WebLink url={url} />}
      {path === null && url === null && <span className="meta">{copy.fileNotHeld}</span>}
    </>
  );
}

/** Links only to URLs that browsers open as a page, because other schemes may run scripts. */
export function WebLink({
  url,
  label,
  className = "link",
}: {
  url: string;
  label?: string;
  className?: string;
}) {
  const isWeb = /^https?:\/\//i.test(url) && URL.canParse(url);
  if (!isWeb) return <span className="mono-meta clip">{visibleName(url)}</span>;
  return (
    <a className={className} href={url} target="_blank" rel="noreferrer nofollow">
      {label ?? new URL(url).host}
      <ArrowUpRight className="icon-s" aria-hidden />
    </a>
  );
}
