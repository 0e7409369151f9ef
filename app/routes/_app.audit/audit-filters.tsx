import { ChevronDown } from "lucide-react";
import { SearchField } from "#app/components/search-field.tsx";
import { auditCopy as copy } from "#app/copy/audit.ts";
import { useShell } from "#app/shell/use-shell.ts";
import { ACTION_GROUPS } from "#core/audit/action-words.schema.ts";
import { type AuditQuery, isNarrowed, PRODUCT, SPANS, type Span } from "./audit-query.ts";

/** Narrows the trail by person, platform, time, words and kind of action. */
export function AuditFilters({
  query,
  people,
  total,
  onChange,
}: {
  query: AuditQuery;
  people: readonly { id: string; name: string }[];
  total: number;
  onChange: (change: Partial<AuditQuery>) => void;
}) {
  const { platforms } = useShell();
  return (
    <>
      <div className="audit-toolbar">
        <SearchField value={query.q} label={copy.search} onSearch={(q) => onChange({ q })} />
        <Choice
          label={copy.person}
          value={query.person}
          onChoose={(person) => onChange({ person })}
          options={[
            ["", copy.everyone],
            ...people.map(({ id, name }) => [id, name] as const),
            [PRODUCT, copy.product],
          ]}
        />
        <Choice
          label={copy.platform}
          value={query.platform}
          onChoose={(platform) => onChange({ platform })}
          options={[["", copy.allPlatforms], ...platforms.map(({ id, label }) => [id, label] as const)]}
        />
        <Choice
          label={copy.span}
          value={query.span}
          onChoose={(span) => onChange({ span: span as Span | "" })}
          options={(["", ...Object.keys(SPANS)] as (Span | "")[]).map(
            (span) => [span, copy.spans[span]] as const,
          )}
        />
        <span className="meta audit-toolbar__count" role="status">
          {isNarrowed(query) ? copy.matches(total) : copy.lines(total)}
        </span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: -- a group of toggle buttons is not a form */}
      <div className="filter-chips" role="group" aria-label={copy.group}>
        {(["", ...ACTION_GROUPS] as const).map((group) => (
          <button
            key={group}
            type="button"
            aria-pressed={group === query.group}
            onClick={() => onChange({ group })}
          >
            {group === "" ? copy.all : copy.groups[group]}
          </button>
        ))}
      </div>
    </>
  );
}

function Choice({
  label,
  value,
  options,
  onChoose,
}: {
  label: string;
  value: string;
  options: readonly (readonly [value: string, text: string])[];
  onChoose: (value: string) => void;
}) {
  return (
    <span className="text-field select-field">
      <select aria-label={label} value={value} onChange={(event) => onChoose(event.target.value)}>
        {options.map(([id, text]) => (
          <option key={id} value={id}>
            {text}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden />
    </span>
  );
}
