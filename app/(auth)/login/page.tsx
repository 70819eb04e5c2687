import type { Metadata } from "next";
import { oidcSettings } from "@/lib/platform/auth-oidc";
import { SignInPage } from "./sign-in-page";

export const metadata: Metadata = { title: "Sign in" };
export const dynamic = "force-dynamic";

type Props = { searchParams: Promise<{ next?: string; error?: string; callbackUrl?: string }> };

export default async function Page({ searchParams }: Props) {
  const { next, error } = await searchParams;
  return <SignInPage oidcName={oidcSettings()?.name} next={next} error={error} />;
}
