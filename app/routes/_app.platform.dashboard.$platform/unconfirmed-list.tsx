import { accountCopy } from "#app/copy/accounts.ts";

/** Placeholder for the items of an account until its code is entered. */
export default function UnconfirmedList({ name }: { isOpen: boolean; name: string }) {
  return (
    <div className="table-frame">
      <p className="medium">{accountCopy.nothingRead(name)}</p>
    </div>
  );
}
