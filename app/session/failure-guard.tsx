import { useEffect } from "react";
import { listenToFailures } from "#app/api/transport.ts";
import { failureRule } from "./failure-rule.ts";
import { leave } from "./leave.ts";
import { browserStores } from "./marker.ts";
import { takeNotice } from "./notice.ts";
import { Popup, showPopup } from "./popup.tsx";

/** Applies the global rules for failed calls, and shows the popup that the previous page left. */
export default function FailureGuard() {
  useEffect(() => {
    const left = takeNotice(browserStores().session);
    if (left) showPopup(left);
    return listenToFailures((failure) => {
      const rule = failureRule(failure);
      if (rule.kind === "popup") showPopup(rule.notice);
      if (rule.kind === "leave") void leave("refused", rule.notice);
      return rule.kind !== "none";
    });
  }, []);
  return <Popup />;
}
