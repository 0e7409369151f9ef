import type { ReactNode } from "react";
import { PageHeader } from "./page-header.tsx";

/** A page with one message and links. */
export function NotePage({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <>
      <PageHeader title={title} />
      <div className="note-page">
        <p>{text}</p>
        <div className="row">{children}</div>
      </div>
    </>
  );
}
