import { useRequest } from "#app/api/use-request.ts";
import { Button } from "#app/components/button.tsx";
import { notify } from "#app/components/toasts.ts";
import { historyCopy, zipCopy } from "#app/copy/history.ts";
import { useRefresh } from "#app/live/use-refresh.tsx";
import { requestZip, type ZipActionProps } from "./zip-action.tsx";

/** Asks for a ZIP without what no branch or tag reaches. It is always prepared first. */
export function ReachedZip(props: Pick<ZipActionProps, "platform" | "kind" | "itemId" | "snapshotId">) {
  const { isBusy, refusal, send } = useRequest();
  const refresh = useRefresh();
  const ask = async () => {
    if (!(await send(() => requestZip({ ...props, reachedOnly: true })))) return;
    notify(zipCopy.preparingText);
    refresh();
  };
  return (
    <>
      <Button size="s" isBusy={isBusy} onClick={() => void ask()}>
        {historyCopy.unreachable.zip}
      </Button>
      {refusal && <span className="bad-t">{refusal}</span>}
    </>
  );
}
