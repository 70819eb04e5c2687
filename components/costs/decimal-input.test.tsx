import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, it } from "vitest";
import { DecimalInput } from "./decimal-input";

afterEach(cleanup);

function Example({ told }: { told: string[] }) {
  const [value, setValue] = useState("0.6");
  return <DecimalInput aria-label="Share" value={value} onChange={(next) => (told.push(next), setValue(next))} />;
}

it("tells whole decimals only, while half of one and nothing at all may stand in the field", () => {
  const told: string[] = [];
  render(<Example told={told} />);
  const field = screen.getByLabelText<HTMLInputElement>("Share");
  for (const value of ["", "0", "0.", "0.8", "0.8x", "08"]) fireEvent.change(field, { target: { value } });
  expect(told).toEqual(["0", "0.8", "8"]);
  fireEvent.change(field, { target: { value: "7." } });
  expect(field.value).toBe("7.");
  fireEvent.blur(field);
  expect(field.value).toBe("8");
});
