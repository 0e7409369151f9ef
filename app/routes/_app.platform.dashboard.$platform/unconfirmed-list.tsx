import { accountCopy } from "#app/copy/accounts.ts";

/** Stands where the items of an account will be once its code was entered. */
export default function UnconfirmedList({ name }: { isOpen: boolean; name: string }) {
  return (
    <div className="table-frame">
      <p className="medium">{accountCopy.nothingRead(name)}</p>
    </div>
  );
}
