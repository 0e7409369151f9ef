import { type FormEvent, useEffect, useState } from "react";
import { loadForAction } from "#app/api/load-for-action.ts";
import { useRequest } from "#app/api/use-request.ts";
import { Button } from "#app/components/button.tsx";
import { Field } from "#app/components/field.tsx";
import { SelectField } from "#app/components/select-field.tsx";
import { companyCopy as copy } from "#app/copy/settings.ts";
import {
  type CompanyFields,
  type CompanyPayload,
  type CountryRules,
  chosenTaxIdType,
  companyFieldsOf,
  companyPayload,
  missingFields,
  type TaxStatus as Status,
  type StoredCompany,
  taxStatusOf,
  withCountry,
} from "./company-details.ts";
import { countryName } from "./country-name.ts";
import { taxIdName, vatPrefix } from "./tax-id-types.ts";
import { TaxStatus } from "./tax-status.tsx";

type Data = typeof import("./company-data.ts");
const loadData = loadForAction<Data>(() => import("./company-data.ts"));
const rulesOf = (data: Data, { country }: CompanyFields) => (country ? data.countryRules(country) : null);

/** The company and billing address (spec B-196 to B-207). Countries and their rules are loaded with the form. */
export function CompanyForm({
  stored,
  submit,
  id,
  onCountry,
  onSubmit,
}: {
  stored: StoredCompany | null | undefined;
  /** Label of the button; null when the form is sent by a button outside it. */
  submit: string | null;
  /** Id of the form, for such a button. */
  id?: string;
  /** Called when another country is chosen. */
  onCountry?: (country: string) => void;
  onSubmit: (payload: CompanyPayload) => Promise<void>;
}) {
  const data = useCompanyData();
  const [fields, setFields] = useState(() => companyFieldsOf(stored));
  const [touched, setTouched] = useState<ReadonlySet<keyof CompanyFields>>(new Set());
  const { isBusy, send: run } = useRequest();
  const rules = data && rulesOf(data, fields);
  const missing = missingFields(fields, rules);

  async function send(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    await run(async () => {
      // Somebody may be quicker than the rules of their country.
      const known = rulesOf(await loadData(), fields);
      const open = missingFields(fields, known);
      setTouched(new Set(open));
      if (open.length === 0) await onSubmit(companyPayload(fields, known));
    });
  }
  const bind = (name: keyof CompanyFields) => ({
    name,
    value: fields[name],
    onChange: ({ target }: { target: { value: string } }) => setFields({ ...fields, [name]: target.value }),
    onBlur: () => setTouched(new Set([...touched, name])),
    errors: touched.has(name) && missing.includes(name) ? [copy.required] : [],
  });
  return (
    <form method="post" id={id} className="settings-form" noValidate onSubmit={send}>
      <Field {...bind("name")} label={copy.name} autoComplete="organization" />
      <div className="settings-pair">
        <SelectField
          {...bind("country")}
          label={copy.country}
          autoComplete="country"
          onChange={({ target }) => {
            setFields(withCountry(fields, target.value));
            onCountry?.(target.value);
          }}
        >
          {data ? (
            <Countries data={data} />
          ) : (
            <option value={fields.country}>{fields.country === "" ? copy.choose : fields.country}</option>
          )}
        </SelectField>
        <StateField {...bind("state")} states={rules?.states ?? null} />
      </div>
      <Field {...bind("line1")} label={copy.line1} autoComplete="address-line1" />
      <Field
        {...bind("line2")}
        label={copy.line2}
        aside={<span className="meta">{copy.optional}</span>}
        autoComplete="address-line2"
      />
      <div className="settings-pair">
        <Field {...bind("postal_code")} label={copy.postalCode} autoComplete="postal-code" />
        <Field {...bind("city")} label={copy.city} autoComplete="address-level2" />
      </div>
      {rules && rules.taxIdTypes.length > 0 && (
        <TaxIdFields
          rules={rules}
          country={fields.country}
          type={bind("vatType")}
          value={bind("vat")}
          status={taxStatusOf(stored, fields)}
        />
      )}
      {submit !== null && (
        <div>
          <Button type="submit" variant="solid" isBusy={isBusy}>
            {submit}
          </Button>
        </div>
      )}
    </form>
  );
}

function Countries({ data }: { data: Data }) {
  return (
    <>
      <option value="">{copy.choose}</option>
      <optgroup label={copy.often}>
        {data.PREFERRED_COUNTRIES.map((code) => (
          <option key={code} value={code}>
            {countryName(code)}
          </option>
        ))}
      </optgroup>
      <optgroup label={copy.all}>
        {data.OTHER_COUNTRIES.map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </optgroup>
    </>
  );
}

/**
 * A select for countries with listed states, a text field for other countries, and a disabled field without a country.
 */
function StateField({ states, ...field }: Bound & { states: CountryRules["states"] | null }) {
  if (states?.length === 0) {
    return (
      <Field
        {...field}
        label={copy.region}
        aside={<span className="meta">{copy.optional}</span>}
        autoComplete="address-level1"
      />
    );
  }
  return (
    <SelectField {...field} label={copy.state} autoComplete="address-level1" disabled={states === null}>
      <option value="">{copy.choose}</option>
      {states === null && field.value !== "" && <option value={field.value}>{field.value}</option>}
      {states?.map(([code, name]) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

type Bound = {
  name: string;
  value: string;
  errors: string[];
  onChange: (event: { target: { value: string } }) => void;
  onBlur: () => void;
};

/** The tax ID and its kind. A country with one kind has nothing to choose. */
function TaxIdFields({
  rules,
  country,
  type,
  value,
  status,
}: {
  rules: CountryRules;
  country: string;
  type: Bound;
  value: Bound;
  /** What the register says of the saved one; null for another. */
  status: Status | null;
}) {
  const chosen = chosenTaxIdType(type.value, rules) ?? "";
  const prefix = vatPrefix(chosen, country);
  return (
    <div className="settings-pair">
      {rules.taxIdTypes.length > 1 ? (
        <SelectField {...type} value={chosen} label={copy.vatKind}>
          {rules.taxIdTypes.map((each) => (
            <option key={each} value={each}>
              {taxIdName(each)}
            </option>
          ))}
        </SelectField>
      ) : (
        <Field label={copy.vatKind} value={taxIdName(chosen)} readOnly />
      )}
      <Field
        {...value}
        label={copy.vat}
        aside={
          status === null || status === "unavailable" ? (
            <span className="meta">{copy.optional}</span>
          ) : (
            <TaxStatus status={status} />
          )
        }
        hint={prefix === null ? undefined : copy.vatBegins(prefix)}
        autoComplete="off"
        spellCheck={false}
      />
    </div>
  );
}

/** Countries, states and tax IDs; null until loaded. */
function useCompanyData(): Data | null {
  const [data, setData] = useState<Data | null>(null);
  useEffect(() => {
    let isWanted = true;
    // A failure is shown, and the next action tries again.
    loadData().then(
      (loaded) => isWanted && setData(loaded),
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, []);
  return data;
}
