import type { ReactNode } from "react";
import { Brand } from "./brand.tsx";

/** Thirty days, all kept: the background of a page without data. */
const DAYS = Array.from({ length: 30 }, (_, day) => (day === 29 ? "k d" : "k"));

/** A page outside the signed-in frame: logo, the ribbon of days, and the content. */
export function BarePage({ children }: { children: ReactNode }) {
  return (
    <main className="bare-page">
      <Brand />
      <span
        className="retention-ribbon ribbon-fill"
        aria-hidden
        style={{ "--cg": "3px", "--ch": "20px" } as React.CSSProperties}
      >
        {DAYS.map((shape, day) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: -- a fixed picture; a day is identified by its index
          <i key={day} className={shape} />
        ))}
      </span>
      <div className="bare-page__panel">{children}</div>
    </main>
  );
}
