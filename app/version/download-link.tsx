import { Download } from "lucide-react";
import { browseCopy as copy } from "#app/copy/browse.ts";
import { visibleName } from "#app/format/visible-text.ts";

/** Downloads one file of a version. */
export function DownloadLink({ href, name }: { href: string; name: string }) {
  return (
    <a
      className="icon-btn"
      href={href}
      aria-label={copy.downloadOf(visibleName(name))}
      title={copy.download}
      download
    >
      <Download aria-hidden />
    </a>
  );
}
