/** Who is asking: taken from the session alone, never from the request (decision: tenant isolation). */
export type Member = {
  userId: string;
  organisationId: string;
  name: string;
  email: string;
  role: "owner" | "member";
  platformRoles: Readonly<Record<string, "admin" | "user">>;
  timeZone: string;
};
