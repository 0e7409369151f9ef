import { useEffect, useRef, useState } from "react";
import { ApiError } from "#app/api/call-api.ts";
import { errorText } from "#app/api/error-text.ts";
import { Button } from "#app/components/button.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { Field } from "#app/components/field.tsx";
import { CODE_LENGTH, OtpField } from "#app/components/otp-field.tsx";
import { twoFactorCopy as copy, signInCopy } from "#app/copy/auth.ts";

/** Delay between the last digit and the automatic submission, in ms (spec A-250). */
export const SEND_AFTER_MS = 1500;

/**
 * Asks for the second factor after a correct password. The user is not signed in until it is accepted. When the login
 * session has expired, the user can only start again (spec ).
 */
export function TwoFactorDialog({
  isOpen,
  expiresAt,
  answer,
  onAccepted,
  onCancel,
  onReload,
}: {
  isOpen: boolean;
  /** Epoch ms; 0 = already expired. */
  expiresAt: number;
  /** Submits the code and returns the user's id. */
  answer: (code: string) => Promise<string>;
  onAccepted: (sub: string) => void;
  onCancel: () => void;
  onReload: () => void;
}) {
  return (
    <Dialog isOpen={isOpen} onClose={onCancel} title={copy.title}>
      {isOpen && (
        <CodeForm
          expiresAt={expiresAt}
          answer={answer}
          onAccepted={onAccepted}
          onCancel={onCancel}
          onReload={onReload}
        />
      )}
    </Dialog>
  );
}

type CodeFormProps = Omit<Parameters<typeof TwoFactorDialog>[0], "isOpen">;

function CodeForm(props: CodeFormProps) {
  const { kind, code, shown, isBusy, isOver, input, send, type, turn } = useCodeForm(props);
  return (
    <form
      method="post"
      className="stack two-factor"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send(code);
      }}
    >
      <p className="soft">{kind === "digits" ? copy.lead : copy.recoveryLead}</p>
      {kind === "digits" ? (
        <OtpField
          ref={input}
          label={copy.code}
          value={code}
          onChange={type}
          error={shown}
          isDisabled={isOver}
        />
      ) : (
        <Field
          label={copy.recoveryCode}
          value={code}
          onChange={(event) => type(event.target.value)}
          errors={shown ? [shown] : []}
          disabled={isOver}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          isLarge
        />
      )}
      {!isOver && (
        <button type="button" className="link two-factor__turn" onClick={turn}>
          {kind === "digits" ? copy.toRecovery : copy.toAuthenticator}
        </button>
      )}
      <div className="two-factor__act">
        <Button variant="ghost" onClick={props.onCancel}>
          {copy.cancel}
        </Button>
        {isOver ? (
          <Button variant="solid" onClick={props.onReload}>
            {copy.reload}
          </Button>
        ) : (
          <Button type="submit" variant="solid" isBusy={isBusy}>
            {copy.submit}
          </Button>
        )}
      </div>
    </form>
  );
}

/** State of the code form. It submits by button, or automatically after the last digit. */
function useCodeForm({ expiresAt, answer, onAccepted }: CodeFormProps) {
  const [kind, setKind] = useState<"digits" | "recovery">("digits");
  const [code, setCode] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [isOver, endIt] = useEnd(expiresAt);
  const input = useRef<HTMLInputElement>(null);
  const pause = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(pause.current), []);
  useEffect(() => input.current?.focus(), []);

  async function send(typed: string) {
    clearTimeout(pause.current);
    if (isBusy || isOver) return;
    if (!isWhole(kind, typed)) return setError(copy.insert);
    setIsBusy(true);
    setError(null);
    try {
      onAccepted(await answer(typed.trim()));
    } catch (cause) {
      setIsBusy(false);
      if (cause instanceof ApiError && cause.code === "err.challenge.expired") return endIt();
      setError(cause instanceof ApiError ? errorText(cause.message) : signInCopy.somethingWrong);
      setCode("");
      input.current?.focus();
    }
  }
  function type(next: string) {
    clearTimeout(pause.current);
    setCode(next);
    setError(null);
    if (kind === "digits" && next.length === CODE_LENGTH) {
      pause.current = setTimeout(() => void send(next), SEND_AFTER_MS);
    }
  }
  function turn() {
    clearTimeout(pause.current);
    setKind(kind === "digits" ? "recovery" : "digits");
    setCode("");
    setError(null);
  }
  const shown = isOver ? copy.expired : error;
  return { kind, code, shown, isBusy, isOver, input, send, type, turn };
}

/** True for a complete code: exactly six digits (spec A-335), or any recovery code. */
export function isWhole(kind: "digits" | "recovery", typed: string): boolean {
  return kind === "digits" ? /^\d{6}$/.test(typed) : typed.trim() !== "";
}

/** The longest delay of a browser timer. */
const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * True from `at` on. If `at` is already past when the dialog opens, the browser's clock is ahead of the server's, so it
 * does not expire.
 */
function useEnd(at: number): [boolean, () => void] {
  const [isOver, setIsOver] = useState(at === 0);
  useEffect(() => {
    const left = at - Date.now();
    if (left <= 0) return;
    const timer = setTimeout(() => setIsOver(true), Math.min(left, LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  }, [at]);
  return [isOver, () => setIsOver(true)];
}
