import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { countryRules, OTHER_COUNTRIES, PREFERRED_COUNTRIES } from "./company-data.ts";
import {
  companyFieldsOf,
  companyPayload,
  missingFields,
  NO_COMPANY,
  taxStatusOf,
  withCountry,
} from "./company-details.ts";
import { countryName } from "./country-name.ts";
import { taxIdName, taxIdTypes, vatPrefix } from "./tax-id-types.ts";

const full = {
  name: "Meridian Freight GmbH",
  country: "DE",
  state: "HH",
  city: "Hamburg",
  line1: "Kai 7",
  line2: "",
  postal_code: "20457",
  vat: "",
  vatType: "",
};

const NO_ADDRESS = { country: null, state: null, city: null, line1: null, line2: null, postal_code: null };

test("name, country, state, city, line 1 and postal code are required, line 2 and the tax ID are not", () => {
  expect(missingFields(NO_COMPANY, null).sort()).toEqual(
    ["city", "country", "line1", "name", "postal_code", "state"].sort(),
  );
  expect(missingFields({ ...full, city: "  " }, countryRules("DE"))).toEqual(["city"]);
  expect(missingFields(full, countryRules("DE"))).toEqual([]);
});

test("[A-225] of several tax details the newest one fills the form", () => {
  const address = { ...NO_ADDRESS, country: "DE" };
  const details = ["DE111111111", "DE222222222"].map((value, at) => ({
    id: `txi_${at}`,
    type: "eu_vat",
    value,
    status: "verified" as const,
  }));
  const fields = companyFieldsOf({ name: "Meridian", address, tax_details: details });
  expect([fields.vat, fields.vatType]).toEqual(["DE222222222", "eu_vat"]);
  expect(companyPayload(fields, countryRules("DE")).tax_details).toEqual({
    ...{ type: "eu_vat", value: "DE222222222" },
  });
});

test("a country without listed states requires none", () => {
  expect(countryRules("SG").states).toEqual([]);
  expect(missingFields({ ...full, country: "SG", state: "" }, countryRules("SG"))).toEqual([]);
});

test("changing the country clears state and tax ID; choosing the same one does not", () => {
  expect(withCountry({ ...full, vat: "DE123" }, "US")).toEqual({
    ...full,
    country: "US",
    state: "",
    vat: "",
    vatType: "",
  });
  expect(withCountry({ ...full, vat: "DE123" }, "DE")).toEqual({ ...full, vat: "DE123" });
});

test("the United States and Canada have their own lists of states with unique codes", () => {
  expect(countryRules("US").states).toHaveLength(51);
  expect(countryRules("CA").states).toHaveLength(13);
  for (const country of ["US", "CA", "AU", "BR", "DE", "IN", "MX"]) {
    const codes = countryRules(country).states.map(([code]) => code);
    expect([country, new Set(codes).size, codes.every((code) => /^[A-Z]{2,3}$/.test(code))]).toEqual([
      country,
      codes.length,
      true,
    ]);
  }
});

test.each([
  ["DE", "eu_vat"],
  ["GB", "gb_vat"],
  ["US", "us_ein"],
  ["AU", "au_abn"],
  ["CA", "ca_gst_hst"],
  ["IN", "in_gst"],
  ["BR", "br_cnpj"],
])("[B-318] a tax ID of %s is sent as %s", (country, type) => {
  expect(companyPayload({ ...full, country, vat: " 123 " }, countryRules(country)).tax_details).toEqual({
    type,
    value: "123",
  });
});

test("empty values and empty or unknown tax IDs are not sent", () => {
  const { vat: _vat, vatType: _type, line2: _line2, ...filled } = full;
  expect(companyPayload({ ...full, line2: " " }, countryRules("DE"))).toEqual(filled);
  expect(countryRules("AQ").taxIdTypes).toEqual([]);
  expect(companyPayload({ ...full, country: "AQ", vat: "1" }, countryRules("AQ"))).not.toHaveProperty(
    "tax_details",
  );
});

test("the newest of several tax IDs is shown", () => {
  const tax_details = [
    { id: "1", type: "eu_vat", value: "DE111", status: "pending" as const },
    { id: "2", type: "eu_vat", value: "DE222", status: "verified" as const },
  ];
  expect(companyFieldsOf({ name: "Meridian", address: { city: "Hamburg" }, tax_details })).toEqual({
    ...NO_COMPANY,
    name: "Meridian",
    city: "Hamburg",
    vat: "DE222",
    vatType: "eu_vat",
  });
  expect(companyFieldsOf(null)).toEqual(NO_COMPANY);
});

test("[B-317] the preferred countries come first and are not repeated", () => {
  expect(PREFERRED_COUNTRIES).toEqual(["US", "GB", "DE", "FR", "BR", "CA"]);
  const others = OTHER_COUNTRIES;
  expect(others.length).toBeGreaterThan(230);
  expect(
    others.map(([code]) => code).filter((code) => (PREFERRED_COUNTRIES as readonly string[]).includes(code)),
  ).toEqual([]);
  expect(others.every(([code, name]) => name !== code)).toBe(true);
  expect(countryName("DE")).toBe("Germany");
});

/** The types that the payment provider accepts for a customer, from the declarations of its own package. */
function providerTypes(): string[] {
  const file = new URL("../../node_modules/stripe/cjs/resources/Customers.d.ts", import.meta.url);
  const list = /type Type = ('ad_nrt'[^;]*);/.exec(readFileSync(file, "utf8"))?.[1] ?? "";
  return [...list.matchAll(/'([a-z0-9_]+)'/g)]
    .map(([, type]) => type ?? "")
    .filter((type) => type !== "unknown");
}

const ALL_COUNTRIES = [...PREFERRED_COUNTRIES, ...OTHER_COUNTRIES.map(([code]) => code)];

test("every type of the payment provider is offered in a country, but one, and no other type is", () => {
  const offered = new Set(ALL_COUNTRIES.flatMap((country) => taxIdTypes(country)));
  expect(providerTypes().length).toBeGreaterThan(130);
  expect(providerTypes().filter((type) => !offered.has(type))).toEqual(["eu_oss_vat"]);
  expect([...offered].filter((type) => !providerTypes().includes(type))).toEqual([]);
});

test("a type belongs to the country that it begins with, but for Europe's and the Canary Islands'", () => {
  for (const country of ALL_COUNTRIES) {
    const foreign = taxIdTypes(country).filter((type) => type.slice(0, 2).toUpperCase() !== country);
    expect([country, foreign.filter((type) => type !== "eu_vat" && type !== "ic_nif")]).toEqual([
      country,
      [],
    ]);
  }
  expect(ALL_COUNTRIES.filter((country) => taxIdTypes(country)[0] === "eu_vat")).toHaveLength(27);
  expect(taxIdTypes("GB")).toEqual(["gb_vat", "eu_vat"]);
});

test("the kind of a tax ID can be chosen, has a name, and Europe's begins with its country", () => {
  const canada = countryRules("CA");
  expect(companyPayload({ ...full, country: "CA", vat: "1", vatType: "ca_qst" }, canada).tax_details).toEqual(
    {
      type: "ca_qst",
      value: "1",
    },
  );
  expect(companyPayload({ ...full, vat: "1", vatType: "ca_qst" }, countryRules("DE")).tax_details?.type).toBe(
    "eu_vat",
  );
  expect(["eu_vat", "us_ein", "ca_gst_hst"].map(taxIdName)).toEqual(["EU VAT", "US EIN", "CA GST/HST"]);
  expect([vatPrefix("eu_vat", "GR"), vatPrefix("eu_vat", "DE"), vatPrefix("us_ein", "US")]).toEqual([
    "EL",
    "DE",
    null,
  ]);
});

test("the state of a tax ID is shown only of the one that is saved", () => {
  const saved = { id: "txi_2", type: "eu_vat", value: "DE123456789", status: "verified" as const };
  const stored = {
    tax_details: [{ ...saved, id: "txi_1", status: "pending" as const, value: "DE1" }, saved],
  };
  expect(taxStatusOf(stored, { vat: " DE123456789 ", vatType: "eu_vat" })).toBe("verified");
  expect(taxStatusOf(stored, { vat: "DE1", vatType: "eu_vat" })).toBeNull();
  expect(taxStatusOf(stored, { vat: "DE123456789", vatType: "de_stn" })).toBeNull();
  expect(taxStatusOf(null, { vat: "", vatType: "" })).toBeNull();
});
