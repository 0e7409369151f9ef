import { Link } from "@remix-run/react";
import { CircleAlert } from "lucide-react";
import { buttonClass } from "#app/components/button.tsx";
import { itemsCopy as copy } from "#app/copy/items.ts";
import { useRestricted } from "#app/session/use-restricted.ts";
import type { ItemListPage } from "./queries.server.ts";

/**
 * The platform refused our token: what happened, what is kept, and the way out for those who may take it. The restricted
 * mode has no connector to lead to (spec A-094).
 */
export function TokenBanner({ page }: { page: ItemListPage }) {
  const isRestricted = useRestricted();
  return (
    <div className="banner banner-bad" role="alert">
      <CircleAlert aria-hidden />
      <span>
        {page.connection.lostReason === "app" ? copy.appDeleted(page.label) : copy.tokenInvalid(page.label)}
      </span>
      {page.canManage && !isRestricted && (
        <Link
          className={buttonClass({ variant: "outline", size: "s" })}
          to={`/app-connector?platform=${page.platform}`}
        >
          {copy.reconnect}
        </Link>
      )}
    </div>
  );
}
