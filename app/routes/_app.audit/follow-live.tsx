import { useEffect, useState } from "react";
import { auditCopy as copy } from "#app/copy/audit.ts";
import { useRefresh } from "#app/live/use-refresh.tsx";
import type { AuditPageData } from "./queries.server.ts";

/** Time between two looks at the trail, in ms. */
const LOOK_EVERY_MS = 5_000;

/** Chooses between a list that stays as it was read, and one that shows new lines as they are written. */
export function FollowChoice({
  isFollowed,
  onChange,
}: {
  isFollowed: boolean;
  onChange: (isFollowed: boolean) => void;
}) {
  return (
    <fieldset className="segmented audit-follow">
      <legend className="sr">{copy.follow.choice}</legend>
      {([false, true] as const).map((value) => (
        <label key={String(value)}>
          <input type="radio" name="follow" checked={value === isFollowed} onChange={() => onChange(value)} />
          {value ? copy.follow.live : copy.follow.list}
        </label>
      ))}
    </fieldset>
  );
}

/**
 * While `isFollowed`, reads the page again every few seconds, unless nobody can see it.
 *
 * @returns how many of the shown lines, which are the newest, came while following
 */
export function useFollow(
  isFollowed: boolean,
  { actions, now }: Pick<AuditPageData, "actions" | "now">,
): number {
  const refresh = useRefresh();
  useEffect(() => {
    if (!isFollowed) return;
    const look = () => {
      if (document.visibilityState === "visible") refresh();
    };
    const timer = setInterval(look, LOOK_EVERY_MS);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [isFollowed, refresh]);
  /** When following began, by the server's clock. */
  const [since, setSince] = useState<number | null>(null);
  if (isFollowed !== (since !== null)) setSince(isFollowed ? now : null);
  return since === null ? 0 : actions.filter(({ date }) => date > since).length;
}
