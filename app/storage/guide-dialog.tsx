import { Check, Copy, Download } from "lucide-react";
import { useState } from "react";
import { loadForAction } from "#app/api/load-for-action.ts";
import { Button } from "#app/components/button.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { storageCopy } from "#app/copy/storage.ts";
import { saveFile } from "#app/shell/save-file.ts";
import type { StorageGuide } from "#connectors/contract/storage-descriptor.ts";

const copy = storageCopy.guide;
const loadPdf = loadForAction(() => import("./guide-pdf.ts"));

/** Step-by-step setup of a storage, also as a PDF (spec P-128, P-129). */
export default function GuideDialog({
  isOpen,
  onClose,
  guide,
}: {
  isOpen: boolean;
  onClose: () => void;
  guide: StorageGuide;
}) {
  async function download() {
    const made = await loadPdf().catch(() => null);
    if (made === null) return;
    saveFile(guide.fileName, new Blob([made.guidePdf(guide)], { type: "application/pdf" }));
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      size="m"
      title={guide.title}
      description={guide.text}
      footer={
        <>
          <Button variant="ghost" onClick={() => void download()}>
            <Download aria-hidden />
            {copy.download}
          </Button>
          <Button variant="solid" onClick={onClose}>
            {copy.close}
          </Button>
        </>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: -- a scrollable area must be keyboard accessible */}
      <div className="guide-body" tabIndex={0}>
        <ol className="steps guide-steps">
          {guide.steps.map(({ title, text, code }) => (
            <li key={title}>
              <b className="medium">{title}</b>
              <p>{text}</p>
              {code && <CodeBlock code={code} />}
            </li>
          ))}
        </ol>
      </div>
    </Dialog>
  );
}

function CodeBlock({ code }: { code: string }) {
  const [isCopied, setIsCopied] = useState(false);
  return (
    <div className="guide-code">
      <pre>{code}</pre>
      <Button size="s" onClick={() => void navigator.clipboard.writeText(code).then(() => setIsCopied(true))}>
        {isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
        {isCopied ? copy.copied : copy.copy}
      </Button>
    </div>
  );
}
