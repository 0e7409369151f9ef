/** English name of a country. */
export function countryName(code: string): string {
  return new Intl.DisplayNames("en", { type: "region" }).of(code) ?? code;
}
