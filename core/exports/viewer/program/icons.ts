/** Outlines of the icons, on a square of 24. */
const OUTLINES = {
  calendar: "M8 2v4M16 2v4M3 10h18M5 4h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2z",
  checks: "M21 10.656V19a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h12.344M9 11l3 3L22 4",
  files:
    "m16 6-8.414 8.586a2 2 0 0 0 2.829 2.829l8.414-8.586a4 4 0 1 0-5.657-5.657l-8.379 8.551a6 6 0 1 0 8.485 8.485l8.379-8.551",
  comments:
    "M22 17a2 2 0 0 1-2 2H6.828a2 2 0 0 0-1.414.586l-2.202 2.202A.71.71 0 0 1 2 21.286V5a2 2 0 0 1 2-2h16a2 2 0 0 1 2 2z",
  search: "m21 21-4.34-4.34M19 11a8 8 0 1 1-16 0 8 8 0 0 1 16 0",
  verified:
    "M20 13c0 5-3.5 7.5-7.66 8.95a1 1 0 0 1-.67-.01C7.5 20.5 4 18 4 13V6a1 1 0 0 1 1-1c2 0 4.5-1.2 6.24-2.72a1.17 1.17 0 0 1 1.52 0C14.51 3.81 17 5 19 5a1 1 0 0 1 1 1zM9 12l2 2 4-4",
} as const;

export type IconName = keyof typeof OUTLINES;

/** An icon beside words; readers of a screen skip it. */
export function icon(name: IconName): SVGElement {
  return drawing("icon", "0 0 24 24", [["", OUTLINES[name]]]);
}

/** The product's mark: three full bars and a hollow one. */
export function brandMark(): SVGElement {
  const bars = "M0 1h3.5v16H0zM5.5 1H9v16H5.5zM11 1h3.5v16H11z";
  return drawing("brand__mark", "0 0 22 18", [
    ["brand__bars", bars],
    ["brand__ring", "M17.5 2H21v14h-3.5z"],
  ]);
}

/** The platform's logo beside its name, in one colour. */
export function logoMark(outline: string): SVGElement {
  return drawing("logo", "0 0 24 24", [["", outline]]);
}

function drawing(className: string, viewBox: string, paths: [className: string, outline: string][]) {
  const element = svg("svg", { class: className, viewBox, "aria-hidden": "true" });
  for (const [name, d] of paths) element.appendChild(svg("path", name === "" ? { d } : { class: name, d }));
  return element;
}

function svg(tag: string, attributes: Record<string, string>): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag) as SVGElement;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}
