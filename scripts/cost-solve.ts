import { parseCostCases, solveCase, type CostCase } from "@/lib/domain/cost-case";
import { DomainError } from "@/lib/domain/errors";
import { readJson } from "./read-json";

const HELP = `Usage: npm run --silent cost:solve -- FILE

Reads a JSON array of break-even cases and prints the same array with "expect" filled in:
node_month, capacity_per_node, crossings (complete up to search_up_to) and at.
FILE may be - for standard input. Fields per case: id, title, api {mode, free_pages, monthly_fee,
included_pages, tiers [{up_to, per_1000}]}, self_host {hourly, hours, pages_per_second, utilisation,
overhead, variable_per_1000, min_nodes}, search_up_to. Money is a decimal string; pages are whole numbers.

"at" lists both costs at chosen page counts: those of "at_pages" when the case has it, else those of an
"expect.at" that is already there, else page 0, the page before and the first page of the first 200 crossings,
both sides of the first 24 bracket and node boundaries, and search_up_to.
`;

function answer(question: CostCase, index: number) {
  try {
    return { ...question, expect: solveCase(question) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new DomainError(error.code, `Case ${index + 1}${question.id ? ` (${question.id})` : ""}: ${error.message}`);
  }
}

function main([file]: string[]): number {
  if (file === "--help" || file === "-h") {
    process.stdout.write(HELP);
    return 0;
  }
  if (!file) {
    process.stderr.write(HELP);
    return 2;
  }
  try {
    const solved = parseCostCases(readJson(file, "an array of cases")).map(answer);
    process.stdout.write(`${JSON.stringify(solved, null, 2)}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

process.exitCode = main(process.argv.slice(2));
