import type { Metadata } from "next";
import { InvitePage } from "./invite-page";

export const metadata: Metadata = { title: "Accept the invitation", referrer: "no-referrer" };
export const dynamic = "force-dynamic";

export default function Page() {
  return <InvitePage />;
}
