/** Reads the page's colours, so that the provider's frame looks like our fields in every theme. */
export function cardAppearance(): object {
  const style = getComputedStyle(document.documentElement);
  const probe = document.createElement("span");
  document.body.appendChild(probe);
  const colour = (name: string) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const variables = {
    colorPrimary: colour("--accent"),
    colorBackground: colour("--panel"),
    colorText: colour("--ink"),
    colorTextSecondary: colour("--ink-soft"),
    colorDanger: colour("--bad-text"),
    fontFamily: '"IBM Plex Sans", system-ui, sans-serif',
    fontSizeBase: "14px",
    borderRadius: style.getPropertyValue("--r-2").trim() || "3px",
    spacingUnit: "4px",
  };
  probe.remove();
  return {
    theme: "flat",
    variables,
    rules: { ".Input": { border: `1px solid ${variables.colorTextSecondary}`, boxShadow: "none" } },
  };
}
