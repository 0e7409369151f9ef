import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/cloudflare";
import {
  isRouteErrorResponse,
  type ShouldRevalidateFunction,
  useLoaderData,
  useNavigate,
  useParams,
  useRouteError,
} from "@remix-run/react";
import { useEffect } from "react";
import { PageFailure } from "#app/components/page-failure.tsx";
import { notify } from "#app/components/toasts.ts";
import { historyCopy } from "#app/copy/history.ts";
import { failureCopy } from "#app/copy/shared.ts";
import { shellCopy } from "#app/copy/shell.ts";
import { HISTORY_PER_PAGE } from "#app/history/fetch-history.ts";
import { isLostConnection } from "#app/session/lost-connection.ts";
import { orFailure } from "#app/session/refusal.server.ts";
import { isRefusal } from "#app/session/refusal.ts";
import { requireMember } from "#app/session/require-member.server.ts";
import type { CrumbHandle } from "#app/shell/crumbs.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { signCloneUrl } from "./actions.server.ts";
import { readAddress } from "./address.ts";
import { HistoryPage } from "./history-page.tsx";
import { mayOpen, readHistoryPage } from "./queries.server.ts";

/** The version history of one item: `?id&name[&page][&run=true]` (spec part 2 section 2). */
export async function loader({ context, request, params }: LoaderFunctionArgs) {
  const member = requireMember(context, request);
  const platform = params.platform ?? "";
  const { itemId, name, page } = readAddress(new URL(request.url).searchParams);
  if (itemId === null || !mayOpen(member, platform)) throw redirect("/");
  const read = await orFailure(context, () =>
    readHistoryPage(context.services, member, { platform, itemId, page, perPage: HISTORY_PER_PAGE }),
  );
  return { ...read, name: name ?? read.item.name };
}

export async function action(args: ActionFunctionArgs) {
  return signCloneUrl(args);
}

/** The table fetches other pages of the same history itself, and signing a clone URL changes nothing. */
export const shouldRevalidate: ShouldRevalidateFunction = ({
  currentUrl,
  nextUrl,
  formMethod,
  defaultShouldRevalidate,
}) => {
  if (formMethod) return false;
  const isSameItem =
    currentUrl.pathname === nextUrl.pathname &&
    currentUrl.searchParams.get("id") === nextUrl.searchParams.get("id");
  return isSameItem && currentUrl.search !== nextUrl.search ? false : defaultShouldRevalidate;
};

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: historyCopy.pageTitle(data?.name ?? historyCopy.versions) },
];

export const handle: CrumbHandle<{ name: string }> = {
  crumbs: (data, { platform }) => [
    { label: shellCopy.integrations },
    { label: labelOf(platform), to: listPath(platform) },
    ...(data ? [{ label: data.name }] : []),
  ],
};

export default function HistoryRoute() {
  const data = useLoaderData<typeof loader>();
  return <HistoryPage key={data.item.id} data={data} />;
}

/**
 * When loading fails, whatever the reason, shows a toast and returns to the list (spec part 2 section 8). Without a
 * connection the list could not be loaded either: then the page stays and reloads by itself.
 */
export function ErrorBoundary() {
  const error = useRouteError();
  const { platform } = useParams();
  const navigate = useNavigate();
  const refusal = isRouteErrorResponse(error) && isRefusal(error.data) ? error.data : null;
  const reason = isLostConnection(error) ? null : (refusal?.message ?? failureCopy.load);
  useEffect(() => {
    if (reason === null) return;
    notify(reason, { tone: "bad" });
    navigate(listPath(platform), { replace: true });
  }, [reason, platform, navigate]);
  return <PageFailure />;
}

function labelOf(platform: string | undefined): string {
  return descriptors.find(({ id }) => id === platform)?.label ?? "";
}

function listPath(platform: string | undefined): string {
  return `/platform/dashboard/${platform ?? ""}`;
}
