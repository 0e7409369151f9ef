import { Link, useParams } from "@remix-run/react";
import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { Callout } from "#app/components/callout.tsx";
import { PageHeader } from "#app/components/page-header.tsx";
import { PlatformMark } from "#app/components/platform-mark.tsx";
import { browseCopy as copy } from "#app/copy/browse.ts";

/** The frame of every page about a version's content: back link, header, and why the content is not available. */
export function VersionFrame({
  itemId,
  itemName,
  title,
  folio,
  actions,
  problem,
  needsRight,
  children,
}: {
  itemId: string;
  itemName: string;
  title: ReactNode;
  folio?: string[];
  actions?: ReactNode;
  /** Why the content cannot be shown. */
  problem: string | null;
  /** The right that the member lacks; null = none. */
  needsRight: string | null;
  children: ReactNode;
}) {
  const { platform = "" } = useParams();
  return (
    <>
      <Link className="back-link" to={`/platform/backups/${platform}?id=${encodeURIComponent(itemId)}`}>
        <ArrowLeft className="icon-s" aria-hidden />
        {copy.back(itemName)}
      </Link>
      <PageHeader
        folio={folio ?? []}
        mark={<PlatformMark platform={platform} size="l" />}
        title={title}
        keepActions
        actions={actions}
      />
      {problem !== null && <Callout tone="warn">{problem}</Callout>}
      {needsRight !== null && problem === null && (
        <Callout tone="warn">
          <p>{needsRight}</p>
          <p>{copy.readOnlyHint}</p>
        </Callout>
      )}
      {children}
    </>
  );
}
