import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { ConfirmDialog } from "./alert-dialog";
import { Button } from "./button";

afterEach(cleanup);

function open(onConfirm: () => Promise<void>) {
  render(
    <ConfirmDialog
      trigger={<Button>Open</Button>}
      title="Delete lightonocr in staging?"
      goes={["The endpoint"]}
      stays={["Usage so far"]}
      typedName="lightonocr"
      actionLabel="Delete deployment"
      onConfirm={onConfirm}
    />,
  );
  fireEvent.click(screen.getByRole("button", { name: "Open" }));
}

const type = (name: string) =>
  fireEvent.change(screen.getByRole("textbox", { name: "Type lightonocr to confirm" }), { target: { value: name } });
const confirm = () => fireEvent.click(screen.getByRole("button", { name: "Delete deployment" }));

it("names what goes and what stays, and waits for the typed name", async () => {
  const onConfirm = vi.fn(async () => {});
  open(onConfirm);
  expect(screen.getByText("The endpoint")).toBeTruthy();
  expect(screen.getByText("Usage so far")).toBeTruthy();
  type("lightonoc");
  confirm();
  expect(onConfirm).not.toHaveBeenCalled();
  type("lightonocr");
  confirm();
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(onConfirm).toHaveBeenCalledOnce();
});

it("stays open with the reason when the deed fails", async () => {
  open(async () => {
    throw new Error("The cluster does not answer.");
  });
  type("lightonocr");
  confirm();
  expect((await screen.findByRole("alert")).textContent).toContain("The cluster does not answer.");
  expect(screen.getByRole("alertdialog")).toBeTruthy();
});
