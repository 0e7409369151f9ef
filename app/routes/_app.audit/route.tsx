import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, useNavigation, useSearchParams } from "@remix-run/react";
import { Download } from "lucide-react";
import { useState } from "react";
import { Button, buttonClass } from "#app/components/button.tsx";
import { PageFailure } from "#app/components/page-failure.tsx";
import { PageHeader } from "#app/components/page-header.tsx";
import { Pagination } from "#app/components/pagination.tsx";
import { UpgradeDialog } from "#app/components/upgrade-dialog.tsx";
import { auditCopy as copy } from "#app/copy/audit.ts";
import { fullDateText } from "#app/format/dates.ts";
import type { CrumbHandle } from "#app/shell/crumbs.ts";
import { useShell } from "#app/shell/use-shell.ts";
import { AuditFilters } from "./audit-filters.tsx";
import { type AuditQuery, auditSearch, exportPath, isNarrowed, parseAuditQuery } from "./audit-query.ts";
import { AuditTable } from "./audit-table.tsx";
import { FollowChoice, useFollow } from "./follow-live.tsx";
import { auditPage } from "./queries.server.ts";

export const meta: MetaFunction = () => [{ title: `${copy.title} · Holdfast` }];

export const handle: CrumbHandle = { crumbs: () => [{ label: copy.title }] };

export const loader = ({ context, request }: LoaderFunctionArgs) => auditPage(context, request);

/** The audit trail: who did what, and when (spec part 3 section 2). */
export default function AuditTrail() {
  const data = useLoaderData<typeof loader>();
  const { query, perPage, actions, counts, total, firstAt, head, people, now } = data;
  const newCount = useFollow(query.isFollowed, data);
  const [, setSearch] = useSearchParams();
  const [isAsking, setIsAsking] = useState(false);
  const { member, hasProPlan } = useShell();
  const { location: coming } = useNavigation();
  const show = (change: Partial<AuditQuery>) => {
    /* A filter chosen while another one still loads adds to it. */
    const isComing = coming !== undefined && coming.pathname === "/audit";
    const base = isComing ? parseAuditQuery(new URLSearchParams(coming.search)) : query;
    setSearch(auditSearch({ ...base, page: 0, ...change }), {
      preventScrollReset: change.page === undefined,
    });
  };
  const folio = [
    firstAt !== null && copy.since(fullDateText(firstAt, member.timeZone)),
    copy.zone(member.timeZone),
  ].filter((part) => part !== false);
  return (
    <>
      <PageHeader
        folio={folio}
        title={copy.title}
        keepActions
        actions={
          <>
            <FollowChoice isFollowed={query.isFollowed} onChange={(isFollowed) => show({ isFollowed })} />
            {hasProPlan ? (
              <a className={buttonClass({ variant: "outline" })} href={exportPath(query, now)} download>
                <Download aria-hidden />
                {copy.export}
              </a>
            ) : (
              <Button reason={copy.exportReason}>{copy.export}</Button>
            )}
          </>
        }
      />
      {!hasProPlan && actions.some(({ isHidden }) => isHidden) && (
        <div className="audit-gate">
          <p className="meta">
            <b>{copy.gated}</b> {copy.gatedNote}
          </p>
          <Button variant="solid" onClick={() => setIsAsking(true)}>
            {copy.seePro}
          </Button>
        </div>
      )}
      <AuditFilters query={query} people={people} counts={counts} onChange={show} />
      <p className="meta audit-live" role="status">
        {query.isFollowed && (newCount === 0 ? copy.follow.none : copy.follow.came(newCount))}
      </p>
      {total === 0 ? (
        <div className="note-page">
          <p>{isNarrowed(query) ? copy.noMatch : copy.none}</p>
          {isNarrowed(query) && <Button onClick={() => setSearch({})}>{copy.clear}</Button>}
        </div>
      ) : (
        <>
          <AuditTable actions={actions} newCount={newCount} onHidden={() => setIsAsking(true)} />
          <Pagination page={query.page} perPage={perPage} total={total} onPage={(page) => show({ page })} />
        </>
      )}
      {head !== null && (
        <p className="evidence">
          <span className="evidence__links" aria-hidden>
            <i />
            <i />
            <i />
            <i />
          </span>
          <span>
            <b>{copy.chain}</b> {copy.chainNote}
          </span>
          <span className="mono-meta">{copy.head(head)}</span>
        </p>
      )}
      <UpgradeDialog isOpen={isAsking} onClose={() => setIsAsking(false)} />
    </>
  );
}

export function ErrorBoundary() {
  return <PageFailure />;
}
