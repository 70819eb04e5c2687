import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { Button } from "./button";

afterEach(cleanup);

it("with a reason stays in reach of the keyboard, says why, and does nothing", () => {
  const onClick = vi.fn();
  const onSubmit = vi.fn((event: { preventDefault: () => void }) => event.preventDefault());
  render(
    <form onSubmit={onSubmit}>
      <Button type="submit" onClick={onClick} disabledReason="This needs the role deployer.">
        Stop
      </Button>
    </form>,
  );
  const button = screen.getByRole("button", { name: "Stop" });
  button.focus();
  fireEvent.click(button);
  expect(document.activeElement).toBe(button);
  expect(button.getAttribute("aria-disabled")).toBe("true");
  expect(document.getElementById(button.getAttribute("aria-describedby") ?? "")?.textContent).toBe("This needs the role deployer.");
  expect(onClick).not.toHaveBeenCalled();
  expect(onSubmit).not.toHaveBeenCalled();
});

it("does its deed once it may", () => {
  const onClick = vi.fn();
  render(<Button onClick={onClick}>Stop</Button>);
  fireEvent.click(screen.getByRole("button", { name: "Stop" }));
  expect(onClick).toHaveBeenCalledOnce();
});

it("does not repeat a deed under way", () => {
  const onClick = vi.fn();
  render(
    <Button pending onClick={onClick}>
      Stopping
    </Button>,
  );
  const button = screen.getByRole("button", { name: "Stopping" });
  fireEvent.click(button);
  expect(button.getAttribute("aria-busy")).toBe("true");
  expect(onClick).not.toHaveBeenCalled();
});
