import type { Metadata } from "next";
import { SetupPage } from "./setup-page";

export const metadata: Metadata = { title: "Become the owner", referrer: "no-referrer" };
export const dynamic = "force-dynamic";

export default function Page() {
  return <SetupPage />;
}
