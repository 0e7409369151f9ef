import { useState } from "react";
import { Checkbox } from "#app/components/checkbox.tsx";
import { PlatformMark } from "#app/components/platform-mark.tsx";
import { usersCopy as copy } from "#app/copy/settings.ts";
import { type GrantablePlatform, grantablePlatforms } from "./grantable-platforms.ts";
import type { Right, Rights } from "./rights.ts";
import { type PlatformFacts, useSettings } from "./settings-context.tsx";
import { SubscriptionPrompt } from "./subscription-prompt.tsx";

const RIGHTS = ["user", "admin"] as const;

/** One row per platform. A row without a subscription links to the plans (spec ). */
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
  const canGive = isPaid && facts?.isConnected === true;
  return (
    <tr className={canGive ? undefined : "is-gated"} onClick={isPaid ? undefined : onPrompt}>
      <th scope="row">
        <span className="row">
          <PlatformMark platform={platform.id} />
          {platform.name}
          {!isPaid && (
            <button type="button" className="link meta">
              {copy.needsPro}
            </button>
          )}
          {isPaid && !canGive && <span className="meta">{copy.notConnected}</span>}
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
