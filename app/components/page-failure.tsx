import { isRouteErrorResponse, Link, useNavigate, useRouteError, useRouteLoaderData } from "@remix-run/react";
import { failureCopy, notFoundCopy } from "#app/copy/shared.ts";
import { isLostConnection } from "#app/session/lost-connection.ts";
import { isRefusal } from "#app/session/refusal.ts";
import { useRetry } from "#app/session/use-retry.ts";
import { Button, buttonClass } from "./button.tsx";
import { ErrorState } from "./error-state.tsx";

/** The content of an error boundary: what failed, what is kept, what to do. Reloads after a lost connection. */
export function PageFailure() {
  const error = useRouteError();
  const navigate = useNavigate();
  const requestId = useRouteLoaderData<{ requestId?: string }>("root")?.requestId;
  const isLost = isLostConnection(error);
  useRetry(isLost);
  if (isRouteErrorResponse(error) && error.status === 404 && !isRefusal(error.data)) return <NotFound />;
  const refusal = isRouteErrorResponse(error) && isRefusal(error.data) ? error.data : null;
  return (
    <ErrorState
      title={isLost ? failureCopy.lost : failureCopy.load}
      what={
        isLost ? failureCopy.retrying : `${refusal?.message ?? failureCopy.unexpected} ${failureCopy.advice}`
      }
      requestId={refusal?.requestId ?? requestId}
      actions={
        <>
          <Button variant="solid" onClick={() => window.location.reload()}>
            {failureCopy.refresh}
          </Button>
          <Button variant="ghost" onClick={() => navigate(-1)}>
            {failureCopy.cancel}
          </Button>
          <Link className={buttonClass({ variant: "ghost" })} to="/contact">
            {failureCopy.contact}
          </Link>
        </>
      }
    />
  );
}

/** The 404 page, with a link back (spec ). */
export function NotFound() {
  const navigate = useNavigate();
  return (
    <>
      <h1>{notFoundCopy.title}</h1>
      <p className="soft">{notFoundCopy.text}</p>
      <div className="row">
        <Button variant="solid" onClick={() => (window.history.length > 1 ? navigate(-1) : navigate("/"))}>
          {notFoundCopy.back}
        </Button>
        <Link className={buttonClass({ variant: "ghost" })} to="/">
          {notFoundCopy.home}
        </Link>
      </div>
    </>
  );
}
