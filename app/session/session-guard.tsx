import { lazy, Suspense, useEffect, useState } from "react";

/** Loaded after the page has rendered; no calls are made before. */
const FailureGuard = lazy(() => import("./failure-guard.tsx"));

/** Session handling for every page. */
export function SessionGuard() {
  const [isAlive, setIsAlive] = useState(false);
  useEffect(() => setIsAlive(true), []);
  return isAlive ? (
    <Suspense fallback={null}>
      <FailureGuard />
    </Suspense>
  ) : null;
}
