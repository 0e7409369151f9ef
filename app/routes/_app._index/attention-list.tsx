import { Link } from "@remix-run/react";
import { CircleX, Clock, Unlink } from "lucide-react";
import { buttonClass } from "#app/components/button.tsx";
import { PlatformMark } from "#app/components/platform-mark.tsx";
import { homeCopy as copy } from "#app/copy/home.ts";
import { dateTimeText } from "#app/format/dates.ts";
import { ageText } from "#app/format/duration.ts";
import { useRestricted } from "#app/session/use-restricted.ts";
import { useShell } from "#app/shell/use-shell.ts";
import type { AttentionView, Overview } from "#core/overview/views.ts";

/** What somebody should look at, the worst first: lost accounts, then items. */
export function AttentionList({ overview }: { overview: Overview }) {
  const isRestricted = useRestricted();
  const { member, platforms: started } = useShell();
  const lost = overview.platforms.flatMap(({ platform, accounts }) =>
    accounts
      .filter(({ isRevoked }) => isRevoked)
      .map((account) => ({ ...account, platform, isOne: accounts.length === 1 })),
  );
  const labelOf = (id: string) => started.find((each) => each.id === id)?.label ?? id;
  const words = copy.attention;
  return (
    <section id="needs-attention" aria-labelledby="attention-title">
      <div className="section-head">
        <h2 id="attention-title">{words.title}</h2>
        {overview.attention.length > 1 && <span className="meta">{words.order}</span>}
      </div>
      <ul className="needs-attention">
        {lost.length + overview.attention.length === 0 && <li className="is-empty soft">{words.none}</li>}
        {lost.map(({ id, name, platform, isOne }) => (
          <li key={id}>
            <span className="badge badge-bad">
              <Unlink aria-hidden />
              {words.lost}
            </span>
            <div>
              <p className="needs-attention__what">
                <PlatformMark platform={platform} />
                <span>{name}</span>
              </p>
              <p className="needs-attention__why">{words.revoked(labelOf(platform))}</p>
            </div>
            {member.isOwner && !isRestricted && (
              <Link
                className={buttonClass({ size: "s" })}
                to={`/app-connector?platform=${platform}&step=authorize${isOne ? "" : `&account=${id}`}`}
              >
                {words.reconnect}
                <span className="sr"> {name}</span>
              </Link>
            )}
          </li>
        ))}
        {overview.attention.map((item) => (
          <AttentionRow key={item.id} item={item} now={overview.now} />
        ))}
      </ul>
    </section>
  );
}

function AttentionRow({ item, now }: { item: AttentionView; now: number }) {
  const { id, platform, name, kind } = item;
  const words = copy.attention;
  const search = new URLSearchParams({ name, id });
  if (kind === "deleted") search.set("status", "deleted");
  return (
    <li>
      <AttentionBadge item={item} now={now} />
      <div>
        <p className="needs-attention__what">
          <PlatformMark platform={platform} />
          <span>{name}</span>
        </p>
        <p className="needs-attention__why">
          <Why item={item} now={now} />
        </p>
      </div>
      <Link className={buttonClass({ size: "s" })} to={`/platform/backups/${platform}?${search}`}>
        {kind === "deleted" ? words.restore : words.open}
        <span className="sr"> {words.of(name)}</span>
      </Link>
    </li>
  );
}

function AttentionBadge({ item: { kind, lastBackupAt }, now }: { item: AttentionView; now: number }) {
  const words = copy.attention;
  if (kind === "failed") {
    return (
      <span className="badge badge-bad">
        <CircleX aria-hidden />
        {words.failed}
      </span>
    );
  }
  if (kind === "stale") {
    return (
      <span className="badge badge-warn">
        <Clock aria-hidden />
        {words.stale(ageText(now - (lastBackupAt ?? now)))}
      </span>
    );
  }
  return (
    <span className="badge badge-off">
      <Unlink aria-hidden />
      {words.deleted}
    </span>
  );
}

function Why({ item: { kind, reason, lastBackupAt }, now }: { item: AttentionView; now: number }) {
  const { timeZone } = useShell().member;
  const words = copy.attention;
  const when = lastBackupAt === null ? null : dateTimeText(lastBackupAt, timeZone, now);
  if (kind === "deleted") return words.gone;
  if (kind === "stale") return when === null ? words.noGood : words.noSuccess(when);
  return `${reason ?? ""} ${when === null ? words.noGood : words.lastGood(when)}`.trim();
}
