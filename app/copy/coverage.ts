/** Text of the page "What is covered", which lists every field of a platform and what becomes of it. */
export const coverageCopy = {
  title: "What is covered",
  pageTitle: (label: string) => `What is covered of ${label} · Holdfast`,
  lead: (label: string) =>
    `Every field that ${label} gives about what a version holds, and what becomes of it. Fields have ${label}'s own names. What a single version could not read is listed in that version.`,
  things: (label: string) => `What ${label} has`,
  fates: { restored: "Kept and restored", kept: "Kept", left: "Not kept" },
  counts: ({ restored, kept, left }: { restored: number; kept: number; left: number }) =>
    [
      ...(restored > 0 ? [`${restored} restored`] : []),
      ...(kept > 0 ? [`${kept} kept`] : []),
      ...(left > 0 ? [`${left} not kept`] : []),
    ].join(" · "),
} as const;
