/** Values of a form, nested as the names say: `items[0][price]` is `{items: [{price}]}`. */
export type FormValue = string | FormValue[] | { [name: string]: FormValue };
type Branch = Map<string, string | Branch>;

/** Parses a body or a query as Stripe does: brackets nest, numeric and empty brackets make lists. */
export function parseForm(text: string): Record<string, FormValue> {
  const root: Branch = new Map();
  for (const [name, value] of new URLSearchParams(text)) place(root, partsOf(name), value);
  const value = unfold(root);
  return Array.isArray(value) || typeof value === "string" ? {} : value;
}

function partsOf(name: string): string[] {
  const at = name.indexOf("[");
  if (at <= 0) return [name];
  return [name.slice(0, at), ...[...name.slice(at).matchAll(/\[([^\]]*)\]/g)].map(([, part]) => part ?? "")];
}

function place(branch: Branch, [part = "", ...rest]: string[], value: string): void {
  const key = part === "" ? String(branch.size) : part;
  if (rest.length === 0) {
    branch.set(key, value);
    return;
  }
  const known = branch.get(key);
  const next: Branch = known instanceof Map ? known : new Map();
  branch.set(key, next);
  place(next, rest, value);
}

function unfold(branch: Branch): FormValue {
  const entries = [...branch].map(([key, value]): [string, FormValue] => [
    key,
    typeof value === "string" ? value : unfold(value),
  ]);
  const isList = entries.length > 0 && entries.every(([key]) => /^\d+$/.test(key));
  if (!isList) return Object.fromEntries(entries);
  return entries.sort(([one], [other]) => Number(one) - Number(other)).map(([, value]) => value);
}
