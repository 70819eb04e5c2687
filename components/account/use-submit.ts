import { useState } from "react";
import { type Problem, problemOf } from "@/components/ui/problem";

/** Sends values and keeps the problem of the last try, so that the form stays filled and says what happened. */
export function useSubmit<Values>(onSubmit: (values: Values) => Promise<void>) {
  const [problem, setProblem] = useState<Problem | null>(null);
  async function submit(values: Values) {
    setProblem(null);
    await onSubmit(values).catch((thrown: unknown) => setProblem(problemOf(thrown)));
  }
  return { submit, problem };
}
