import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, useSearchParams } from "@remix-run/react";
import { PageFailure } from "#app/components/page-failure.tsx";
import { PageHeader } from "#app/components/page-header.tsx";
import { Pagination } from "#app/components/pagination.tsx";
import { PlatformMark } from "#app/components/platform-mark.tsx";
import { auditWords, auditCopy as copy } from "#app/copy/account-pages.ts";
import { dateTimeText, fullDateTimeText } from "#app/format/dates.ts";
import type { CrumbHandle } from "#app/shell/crumbs.ts";
import { useShell } from "#app/shell/use-shell.ts";
import { auditPage } from "./queries.server.ts";

export const meta: MetaFunction = () => [{ title: `${copy.title} · Holdfast` }];

export const handle: CrumbHandle = { crumbs: () => [{ label: copy.title }] };

export const loader = ({ context, request }: LoaderFunctionArgs) => auditPage(context, request);

/** The audit trail: who did what, and when. */
export default function AuditTrail() {
  const { page, perPage, actions, total } = useLoaderData<typeof loader>();
  const [, setSearch] = useSearchParams();
  const { member, now, platforms } = useShell();
  const nameOf = (id: string) => platforms.find((platform) => platform.id === id)?.label ?? id;
  return (
    <>
      <PageHeader title={copy.title} />
      {total === 0 ? (
        <p className="note-page">{copy.none}</p>
      ) : (
        <>
          <table className="data-table audit-table">
            <thead>
              <tr>
                {copy.columns.map((column) => (
                  <th key={column} scope="col">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {actions.map(({ id, date, name, type, platform, subject }) => (
                <tr key={id}>
                  <td className="mono nowrap" title={fullDateTimeText(date, member.timeZone)}>
                    {dateTimeText(date, member.timeZone, now)}
                  </td>
                  <td>{name}</td>
                  <td>{auditWords[type] ?? type.replaceAll("-", " ")}</td>
                  <td>
                    {platform && (
                      <span className="row">
                        <PlatformMark platform={platform} />
                        {nameOf(platform)}
                      </span>
                    )}
                  </td>
                  <td className="audit-subject">{subject}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <Pagination
            page={page}
            perPage={perPage}
            total={total}
            onPage={(next) => setSearch(next === 0 ? {} : { page: String(next) })}
          />
        </>
      )}
    </>
  );
}

export function ErrorBoundary() {
  return <PageFailure />;
}
