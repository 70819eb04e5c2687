import { Notice } from "@/components/ui/notice";
import type { Problem } from "@/components/ui/problem";

export function FormProblem({ problem }: { problem: Problem | null }) {
  if (!problem) return null;
  return (
    <Notice tone="failed" title={problem.title}>
      {problem.detail}
    </Notice>
  );
}
