import { ChevronDown } from "lucide-react";
import { buttonClass } from "#app/components/button.tsx";
import { QueryForm } from "#app/components/query-form.tsx";
import { SearchField } from "#app/components/search-field.tsx";
import { auditCopy as copy } from "#app/copy/audit.ts";
import { useShell } from "#app/shell/use-shell.ts";
import { ACTION_GROUPS, type ActionGroup } from "#core/audit/action-words.schema.ts";
import { type AuditQuery, auditSearch, isNarrowed, PRODUCT, SPANS, type Span } from "./audit-query.ts";
import type { AuditPageData } from "./queries.server.ts";

/** Narrows the trail by person, platform, time, words and kind of action. */
export function AuditFilters({
  query,
  people,
  counts,
  onChange,
}: {
  query: AuditQuery;
  people: readonly { id: string; name: string }[];
  counts: AuditPageData["counts"];
  onChange: (change: Partial<AuditQuery>) => void;
}) {
  const { platforms } = useShell();
  const total = counts[query.group || "all"];
  /* A chip without lines is left out, but not the one that is on. */
  const isOffered = (group: ActionGroup | "") => group === "" || group === query.group || counts[group] > 0;
  const without = (change: Partial<AuditQuery>) =>
    Object.entries(auditSearch({ ...query, page: 0, ...change }));
  return (
    <>
      <QueryForm className="audit-toolbar" rest={without({ q: "", person: "", platform: "", span: "" })}>
        <SearchField name="q" value={query.q} label={copy.search} onSearch={(q) => onChange({ q })} />
        <Choice
          name="person"
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
          name="platform"
          label={copy.platform}
          value={query.platform}
          onChoose={(platform) => onChange({ platform })}
          options={[["", copy.allPlatforms], ...platforms.map(({ id, label }) => [id, label] as const)]}
        />
        <Choice
          name="span"
          label={copy.span}
          value={query.span}
          onChoose={(span) => onChange({ span: span as Span | "" })}
          options={(["", ...Object.keys(SPANS)] as (Span | "")[]).map(
            (span) => [span, copy.spans[span]] as const,
          )}
        />
        <noscript>
          <button type="submit" className={buttonClass()}>
            {copy.apply}
          </button>
        </noscript>
        <span className="meta audit-toolbar__count" role="status">
          {isNarrowed(query) ? copy.matches(total) : copy.lines(total)}
        </span>
      </QueryForm>
      {/* biome-ignore lint/a11y/useSemanticElements: -- a fieldset has a layout of its own */}
      <div className="filter-chips" role="group" aria-label={copy.group}>
        <QueryForm rest={without({ group: "" })}>
          {(["", ...ACTION_GROUPS] as const).filter(isOffered).map((group) => (
            <button
              key={group}
              type="submit"
              name="group"
              value={group}
              aria-pressed={group === query.group}
              onClick={() => onChange({ group })}
            >
              {group === "" ? copy.all : copy.groups[group]}{" "}
              <b>{counts[group || "all"].toLocaleString("en-US")}</b>
            </button>
          ))}
        </QueryForm>
      </div>
    </>
  );
}

function Choice({
  name,
  label,
  value,
  options,
  onChoose,
}: {
  name: string;
  label: string;
  value: string;
  options: readonly (readonly [value: string, text: string])[];
  onChoose: (value: string) => void;
}) {
  return (
    <span className="text-field select-field">
      <select name={name} aria-label={label} value={value} onChange={(event) => onChoose(event.target.value)}>
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
