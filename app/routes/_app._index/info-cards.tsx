import { homeCopy as copy } from "#app/copy/home.ts";
import { momentText } from "#app/format/dates.ts";
import { useShell } from "#app/shell/use-shell.ts";
import { storageDescriptors } from "#connectors/registry/storage-descriptors.generated.ts";
import type { Overview } from "#core/overview/views.ts";
import { backedUpOf, sumCounts } from "./platform-state.ts";

/** Four facts about the whole account (spec B-083 to B-086). */
export function InfoCards({ overview }: { overview: Overview }) {
  const { member, platforms: started } = useShell();
  const { platforms, storage, now } = overview;
  const counts = sumCounts(platforms);
  const accounts = platforms.flatMap((each) => each.accounts);
  const revoked = accounts.filter(({ isRevoked }) => isRevoked).length;
  const [newest] = platforms
    .flatMap(({ platform, lastBackup }) => (lastBackup ? [{ platform, ...lastBackup }] : []))
    .toSorted((a, b) => b.at - a.at);
  const labelOf = (id: string) => started.find((each) => each.id === id)?.label ?? id;
  const { cards } = copy;
  const storageName = storageDescriptors.find(({ id }) => id === storage?.kind)?.label ?? storage?.kind;
  return (
    <dl className="info-cards">
      <div>
        <dt>{cards.objects}</dt>
        <dd className="mono-figure">{backedUpOf(counts).toLocaleString("en-US")}</dd>
        <dd className="info-cards__note">{cards.chosen(counts.all, counts.never)}</dd>
      </div>
      <div>
        <dt>{cards.status}</dt>
        <dd>
          <span className="row">
            <span className="dot dot-ok" />
            {cards.online}
          </span>
        </dd>
        <dd className="info-cards__note">
          {revoked > 0 ? cards.revoked(revoked) : cards.answering(accounts.length)}
        </dd>
      </div>
      <div>
        <dt>{cards.last}</dt>
        <dd>{newest ? momentText(newest.at, member.timeZone, now) : cards.noBackup}</dd>
        {newest && (
          <dd className="info-cards__note">
            {labelOf(newest.platform)} · {newest.name}
          </dd>
        )}
      </div>
      <div>
        <dt>{cards.storage}</dt>
        <dd>{storage ? storageName : cards.noStorage}</dd>
        <dd className="info-cards__note">
          {storage === null ? cards.storageNote : storage.isActive ? cards.storageActive : cards.storageLost}
        </dd>
      </div>
    </dl>
  );
}
