import { Link } from "@remix-run/react";
import { useState } from "react";
import { Checkbox } from "#app/components/checkbox.tsx";
import { PlatformMark } from "#app/components/platform-mark.tsx";
import { usersCopy as copy } from "#app/copy/settings.ts";
import { type GrantablePlatform, grantablePlatforms } from "./grantable-platforms.ts";
import type { Right, Rights } from "./rights.ts";
import { type PlatformFacts, useSettings } from "./settings-context.tsx";
import { SubscriptionPrompt } from "./subscription-prompt.tsx";

const RIGHTS = ["user", "admin"] as const;

/**
 * One row per platform (spec ). A click on a row without a subscription leads to the plans. What a platform
 * lacks first, a connection or a plan, stands in its row.
 */
export function RightsGrid({
  rights,
  onToggle,
}: {
  rights: Rights;
  onToggle: (platform: string, right: Right) => void;
}) {
  const { platforms } = useSettings();
  const [prompted, setPrompted] = useState<GrantablePlatform | null>(null);
  return (
    <>
      <table className="rights-grid">
        <thead>
          <tr>
            <th scope="col">{copy.rights}</th>
            <th scope="col" className="c">
              {copy.rightsLabel.user}
            </th>
            <th scope="col" className="c">
              {copy.rightsLabel.admin}
            </th>
          </tr>
        </thead>
        <tbody>
          {grantablePlatforms.map((platform) => (
            <Row
              key={platform.id}
              platform={platform}
              facts={platforms.find(({ id }) => id === platform.id) ?? null}
              held={rights[platform.id] ?? null}
              onToggle={(right) => onToggle(platform.id, right)}
              onPrompt={() => setPrompted(platform)}
            />
          ))}
        </tbody>
      </table>
      <SubscriptionPrompt platform={prompted} onClose={() => setPrompted(null)} />
    </>
  );
}

function Row({
  platform,
  facts,
  held,
  onToggle,
  onPrompt,
}: {
  platform: GrantablePlatform;
  facts: PlatformFacts | null;
  held: Right | null;
  onToggle: (right: Right) => void;
  onPrompt: () => void;
}) {
  const isPaid = facts?.isPaid ?? false;
  const isConnected = facts?.isConnected ?? false;
  const canGive = isPaid && isConnected;
  return (
    <tr className={canGive ? undefined : "is-gated"} onClick={isPaid ? undefined : onPrompt}>
      <th scope="row">
        <span className="row">
          <PlatformMark platform={platform.id} />
          {platform.name}
          {!isConnected && (
            <Link
              className="link meta"
              to={`/app-connector?platform=${platform.id}`}
              onClick={(event) => event.stopPropagation()}
            >
              {copy.notConnected}
            </Link>
          )}
          {isConnected && !isPaid && (
            <button type="button" className="link meta">
              {copy.needsPro}
            </button>
          )}
        </span>
      </th>
      {RIGHTS.map((right) => (
        <td key={right} className="c">
          <Checkbox
            aria-label={copy.rightsOf(platform.name, copy.rightsLabel[right])}
            checked={held === right}
            disabled={!canGive}
            onCheckedChange={() => onToggle(right)}
          />
        </td>
      ))}
    </tr>
  );
}
