import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { type ShouldRevalidateFunction, useLoaderData, useParams } from "@remix-run/react";
import { PageFailure } from "#app/components/page-failure.tsx";
import { settingsCopy as copy } from "#app/copy/settings.ts";
import type { CrumbHandle } from "#app/shell/crumbs.ts";
import { type SettingsData, settingsOf } from "./queries.server.ts";
import { SettingsProvider } from "./settings-context.tsx";
import { SettingsPage } from "./settings-page.tsx";
import { tabOf } from "./tabs.ts";

export const loader = ({ context, request, params }: LoaderFunctionArgs) =>
  settingsOf(context, request, params.tab);

export const meta: MetaFunction<typeof loader> = ({ params }) => [
  { title: copy.pageTitle(copy.tabs[tabOf(params.tab) ?? "details"]) },
];

export const handle: CrumbHandle<SettingsData> = {
  crumbs: (_, params) => [
    { label: copy.title, to: "/settings" },
    { label: copy.tabs[tabOf(params.tab) ?? "details"] },
  ],
};

/** All panels are in the document, so changing the tab does not run the loader. */
export const shouldRevalidate: ShouldRevalidateFunction = ({
  currentUrl,
  nextUrl,
  formMethod,
  defaultShouldRevalidate,
}) => (currentUrl.pathname !== nextUrl.pathname && !formMethod ? false : defaultShouldRevalidate);

export default function Settings() {
  const { me, users, preferences, platforms, notice } = useLoaderData<typeof loader>();
  const tab = tabOf(useParams().tab) ?? "details";
  return (
    /* Who becomes the owner in another tab, or no longer is, gets other panels. */
    <SettingsProvider key={String(me.isSubUser)} me={me} platforms={platforms}>
      <SettingsPage tab={tab} users={users} preferences={preferences} notice={notice} />
    </SettingsProvider>
  );
}

export function ErrorBoundary() {
  return <PageFailure />;
}
