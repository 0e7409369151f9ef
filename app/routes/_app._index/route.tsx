import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { Plus } from "lucide-react";
import { buttonClass } from "#app/components/button.tsx";
import { PageFailure } from "#app/components/page-failure.tsx";
import { PageHeader } from "#app/components/page-header.tsx";
import { homeCopy as copy } from "#app/copy/home.ts";
import { fullDateText, timeText, weekdayText } from "#app/format/dates.ts";
import { useRestricted } from "#app/session/use-restricted.ts";
import type { CrumbHandle } from "#app/shell/crumbs.ts";
import { useShell } from "#app/shell/use-shell.ts";
import { AttentionList } from "./attention-list.tsx";
import { Headline } from "./headline.tsx";
import { InfoCards } from "./info-cards.tsx";
import { PlatformBlock } from "./platform-block.tsx";
import { PlatformLedger } from "./platform-ledger.tsx";
import { isInTrouble } from "./platform-state.ts";
import { homeOf } from "./queries.server.ts";
import { StoredArea } from "./stored-area.tsx";
import { useOverview } from "./use-overview.ts";

export const meta: MetaFunction = () => [{ title: `${copy.title} · Holdfast` }];

export const handle: CrumbHandle = { crumbs: () => [{ label: copy.crumb }] };

export const loader = ({ context, request }: LoaderFunctionArgs) => homeOf(context, request);

/** How everything is protected: a headline, the days of each platform, and what needs somebody (spec part 3 section 2). */
export default function Home() {
  const { overview: loaded, keeping } = useLoaderData<typeof loader>();
  const overview = useOverview(loaded);
  const { member, platforms: started } = useShell();
  const isRestricted = useRestricted();
  const { platforms, now } = overview;
  const worst = started.find(({ id }) => platforms.some((each) => each.platform === id && isInTrouble(each)));
  const isConnected = (id: string) => platforms.some(({ platform }) => platform === id);
  return (
    <>
      <PageHeader
        folio={[
          `${weekdayText(now, member.timeZone)} ${fullDateText(now, member.timeZone)}, ${timeText(now, member.timeZone)}`,
          member.timeZone,
        ]}
        title={copy.title}
        keepActions
        actions={
          !isRestricted && (
            <Link className={buttonClass({ variant: "outline" })} to="/app-connector">
              <Plus aria-hidden />
              {copy.add}
            </Link>
          )
        }
      />
      {platforms.length === 0 && <p className="note-page">{copy.nothing}</p>}
      {platforms.length > 0 && (
        <>
          <Headline overview={overview} />
          <PlatformLedger overview={overview} />
          <InfoCards overview={overview} />
          <div className="dash-columns">
            <AttentionList overview={overview} />
            <StoredArea stored={overview.stored} />
          </div>
        </>
      )}
      {started.length > 0 && (
        <section className="dash-section" aria-labelledby="dash-apps">
          <div className="section-head">
            <h2 id="dash-apps">{copy.apps}</h2>
            <span className="meta">
              {copy.connected(started.filter(({ id }) => isConnected(id)).length, started.length)}
            </span>
          </div>
          <div className="dash-apps">
            {started.map((platform) => (
              <PlatformBlock
                key={platform.id}
                platform={platform}
                overview={platforms.find((each) => each.platform === platform.id) ?? null}
                keeping={keeping[platform.id] ?? null}
                isOpenAtFirst={platform.id === (worst ?? started[0])?.id}
              />
            ))}
          </div>
        </section>
      )}
    </>
  );
}

export function ErrorBoundary() {
  return <PageFailure />;
}
