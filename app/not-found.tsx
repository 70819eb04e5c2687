import Link from "next/link";
import { Button } from "@/components/ui/button";
import { LogoMark } from "@/components/ui/logo";

export const metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <main className="grid min-h-dvh place-content-center justify-items-center gap-4 px-6 text-center">
      <LogoMark className="size-10" />
      <h1 className="text-2xl font-semibold tracking-tight">There is no such page.</h1>
      <p className="max-w-prose text-muted-foreground">The address is mistyped, or what it named has been deleted.</p>
      <Button asChild variant="primary">
        <Link href="/">Back to the overview</Link>
      </Button>
    </main>
  );
}
