/** Signs of the currencies that people know by them. Others are written out after the number. */
const SIGNS: Readonly<Record<string, string>> = {
  dollar: "$",
  euro: "€",
  pound: "£",
  yen: "¥",
  rupee: "₹",
  won: "₩",
  ruble: "₽",
  real: "R$",
  shekel: "₪",
  australian_dollar: "A$",
  canadian_dollar: "CA$",
  singapore_dollar: "SG$",
  hong_kong_dollar: "HK$",
  new_zealand_dollar: "NZ$",
};

/** A number as a data source shows it (`NumberFormat` of `@notionhq/client`). An unknown format is written after it. */
export function numberText(value: number, format: string): string {
  switch (format) {
    case "":
    case "number":
      return String(value);
    case "number_with_commas":
      return value.toLocaleString("en-US", { maximumFractionDigits: 20 });
    case "percent":
      // 0.1 * 100 has no exact number; ten digits hide that.
      return `${Number((value * 100).toFixed(10))}%`;
    default:
  }
  const sum = value.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 20 });
  const sign = Object.hasOwn(SIGNS, format) ? SIGNS[format]! : null;
  if (sign === null) return `${sum} ${format.replaceAll("_", " ")}`;
  return value < 0 ? `-${sign}${sum.slice(1)}` : `${sign}${sum}`;
}
