import { Link } from "@remix-run/react";
import { buttonClass } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { addItemsCopy as copy } from "#app/copy/item-dialogs.ts";
import { failureCopy } from "#app/copy/shared.ts";
import { countsUsers } from "#app/money/unlimited.ts";
import { rememberCheckout } from "#app/shell/checkout-platform.ts";
import { useShell } from "#app/shell/use-shell.ts";
import { isOverUsers, limitText } from "./available-items.ts";
import type { ItemListPage } from "./queries.server.ts";

/**
 * The plan's limit is reached: no more items may be chosen, or there are more users than are paid for (spec P-423 to
 * P-425). The owner gets the way to a larger plan.
 */
export function LimitNote({
  page: { platform, entitlements },
  isFull,
}: {
  page: Pick<ItemListPage, "platform" | "entitlements">;
  isFull: boolean;
}) {
  const {
    member: { isOwner },
    platforms,
  } = useShell();
  const counts = countsUsers(platform) ? "users" : "items";
  if (counts === "users" ? !isOverUsers(platforms, platform) : !isFull) return null;
  return (
    <Callout
      tone="warn"
      action={
        isOwner && (
          <Link
            className={buttonClass({ size: "s" })}
            to="/checkout"
            onClick={() => rememberCheckout(platform)}
          >
            {failureCopy.editSubscription}
          </Link>
        )
      }
    >
      <p>
        <b className="medium">{counts === "users" ? copy.userLimitTitle : copy.limitTitle}.</b>{" "}
        {limitText(entitlements.plan, isOwner, counts)}
      </p>
    </Callout>
  );
}
