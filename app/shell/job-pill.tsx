import { Link } from "@remix-run/react";
import { LoaderCircle } from "lucide-react";
import { jobWords, shellCopy } from "#app/copy/shell.ts";
import { useNow } from "#app/format/use-now.ts";
import { type JobBadge as Badge, isAction, jointPercent, type RunningJob } from "#app/live/running-jobs.ts";
import { useJobBadge, useLiveStatus, useRunningJobs } from "#app/live/use-live-events.tsx";

/** The running actions of all platforms, with their combined percentage once every total is known. */
export function JobPill() {
  const { jobs } = useRunningJobs();
  const badge = useJobBadge(null);
  const status = useLiveStatus();
  const list = Object.values(jobs);
  const percent = jointPercent(list, useNow(0, 5000));
  const path = pathOf(list);
  const words = badgeWords(badge);
  return (
    <>
      <span className="sr" role="status">
        {status === "reconnecting" ? shellCopy.reconnecting : spokenWords(badge)}
      </span>
      {status === "reconnecting" && <span className="job-pill">{shellCopy.reconnecting}</span>}
      {status !== "reconnecting" && path !== null && words && (
        <Link className="job-pill" to={path}>
          <LoaderCircle className="icon-s spin run-t" aria-hidden />
          <span>
            {words}
            {percent !== null && ` · ${percent} %`}
          </span>
        </Link>
      )}
    </>
  );
}

/**
 * Where the pill leads: the history of the only item with an action, or the list of the first such item's platform; null
 * when there is none.
 */
export function pathOf(jobs: readonly RunningJob[]): string | null {
  const [first, ...others] = jobs.filter(({ progress }) => isAction(progress));
  if (first === undefined) return null;
  return others.every(({ id }) => id === first.id)
    ? `/platform/backups/${first.platform}?id=${encodeURIComponent(first.id)}`
    : `/platform/dashboard/${first.platform}`;
}

/** The badge's text for screen readers. It does not change with the number of jobs. */
function spokenWords(badge: Badge): string | null {
  if (badge.kind === "none" || badge.kind === "complete") return badgeWords(badge);
  return jobWords.spoken[badge.kind === "single" ? badge.type : badge.kind];
}

/** The badge's text (spec P-189 to P-193); null when there is nothing to show. */
export function badgeWords(badge: Badge): string | null {
  switch (badge.kind) {
    case "none":
      return null;
    case "single":
      return jobWords[badge.type](1);
    case "complete":
      return jobWords.complete;
    case "backup":
    case "restore":
    case "mixed":
      return jobWords[badge.kind](badge.count);
    default:
      return badge satisfies never;
  }
}
