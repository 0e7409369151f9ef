let names: Intl.DisplayNames | undefined;

/** English name of a country. */
export function countryName(code: string): string {
  names ??= new Intl.DisplayNames("en", { type: "region" });
  return names.of(code) ?? code;
}
