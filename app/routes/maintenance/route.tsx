import { data, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { BarePage } from "#app/components/bare-page.tsx";
import { Button, buttonClass } from "#app/components/button.tsx";
import { maintenanceCopy as copy } from "#app/copy/shell.ts";
import { useNonce } from "#app/nonce.ts";

export const meta: MetaFunction = () => [
  { title: `${copy.title} · Holdfast` },
  { name: "robots", content: "noindex" },
];

/** The page is shown at any URL, so the client router must not take over. */
export const handle = { isStatic: true };

/** The screen of the setting MAINTENANCE. While it is off, its path redirects to the dashboard. */
export function loader({ context }: LoaderFunctionArgs) {
  const { MAINTENANCE, CONTACT_EMAIL } = context.services.settings;
  if (MAINTENANCE === "off") throw redirect("/");
  return data({ contactEmail: CONTACT_EMAIL }, { status: 503 });
}

const AGAIN = "again";

/** Explains the maintenance, with a reload button and a contact link (spec ). */
export default function Maintenance() {
  const { contactEmail } = useLoaderData<typeof loader>();
  const nonce = useNonce();
  return (
    <BarePage>
      <h1>{copy.title}</h1>
      <p>{copy.text}</p>
      <p className="soft">{copy.kept}</p>
      <div className="row">
        <Button id={AGAIN} variant="solid">
          {copy.again}
        </Button>
        <a className={buttonClass({ variant: "ghost" })} href={`mailto:${contactEmail}`}>
          {copy.contact}
        </a>
      </div>
      <script
        nonce={nonce}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: -- a constant; the page has no other script
        dangerouslySetInnerHTML={{
          __html: `document.getElementById("${AGAIN}").addEventListener("click",()=>location.reload())`,
        }}
      />
    </BarePage>
  );
}
