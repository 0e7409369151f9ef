import type { ReactNode } from "react";
import { Brand } from "./brand.tsx";
import { DaysRibbon } from "./days-ribbon.tsx";

/** A page outside the signed-in frame: logo, the ribbon of days, and the content. */
export function BarePage({ children }: { children: ReactNode }) {
  return (
    <main className="bare-page">
      <Brand />
      <DaysRibbon height={20} />
      <div className="bare-page__panel">{children}</div>
    </main>
  );
}
