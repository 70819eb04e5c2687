import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { WordColumns, type Column } from "./word-columns";

afterEach(cleanup);
const column = (name: string, text: string): Column => ({ title: `Lane ${name}`, name, text, note: "" });
const marksOf = (name: string) => [...screen.getByRole("group", { name: `Words of ${name}` }).querySelectorAll("mark")];

it("marks what one text alone has, and pairs what moved, in words too", () => {
  const aside = "see the table of berths";
  render(<WordColumns left={column("A", `${aside} The quay served 214 vessels in spring`)} right={column("B", `The quay served 241 vessels in spring ${aside}`)} />);
  expect(screen.getByText("6 words alike, 5 moved, 1 only in A, 1 only in B.")).toBeTruthy();
  expect(marksOf("A").map((mark) => mark.textContent?.trim())).toEqual([`1${aside}`, "214"]);
  expect(marksOf("B").map((mark) => mark.textContent?.trim())).toEqual(["241", `1${aside}`]);
  const [moved] = marksOf("A");
  const before = marksOf("B").at(-1)?.className;
  if (moved) fireEvent.pointerEnter(moved);
  expect(marksOf("B").at(-1)?.className).not.toBe(before);
});

it("says why a lane has no text", () => {
  render(<WordColumns left={{ ...column("A", ""), note: "Is being read." }} right={column("B", "")} />);
  expect(within(screen.getByRole("region", { name: "Text of A" })).getByText("Is being read.")).toBeTruthy();
  expect(screen.getByText("Neither has words on this page.")).toBeTruthy();
});
