import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, useSearchParams } from "@remix-run/react";
import { PageFailure } from "#app/components/page-failure.tsx";
import { PageHeader } from "#app/components/page-header.tsx";
import { runsCopy as copy } from "#app/copy/runs.ts";
import { longDateTimeText } from "#app/format/dates.ts";
import { useNow } from "#app/format/use-now.ts";
import { donePageOf } from "#app/runs/done-page.ts";
import type { Reading } from "#app/runs/round-words.ts";
import type { CrumbHandle } from "#app/shell/crumbs.ts";
import { useShell } from "#app/shell/use-shell.ts";
import { DoneTable } from "./done-table.tsx";
import { LimitsRail } from "./limits-rail.tsx";
import { runsPage } from "./queries.server.ts";
import { QueueList } from "./queue-list.tsx";
import { RoundHead } from "./round-head.tsx";
import { RunningList } from "./running-list.tsx";
import "./runs.css";
import { useRuns } from "./use-runs.ts";

export const meta: MetaFunction = () => [{ title: `${copy.title} · Holdfast` }];

export const handle: CrumbHandle = { crumbs: () => [{ label: copy.title }] };

export const loader = ({ context, request }: LoaderFunctionArgs) => runsPage(context, request);

/** Everything that runs today: the round, the runs at work, the queue, what has ended, and the providers' limits. */
export default function Runs() {
  const loaded = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const done = donePageOf(search);
  const view = useRuns(loaded, done);
  const { member, platforms } = useShell();
  const reading: Reading = {
    now: useNow(view.readAt, 1000),
    timeZone: member.timeZone,
    labelOf: (id) => platforms.find((platform) => platform.id === id)?.label ?? id,
  };
  return (
    <>
      <PageHeader
        folio={[longDateTimeText(reading.now, reading.timeZone), copy.byItself]}
        title={copy.title}
      />
      <RoundHead view={view} reading={reading} />
      <div className="runs-grid">
        <div className="runs-grid__main">
          <RunningList view={view} reading={reading} />
          <QueueList view={view} reading={reading} />
          <DoneTable view={view} page={done} reading={reading} />
        </div>
        <LimitsRail limits={view.limits} reading={reading} />
      </div>
    </>
  );
}

export function ErrorBoundary() {
  return <PageFailure />;
}
