import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { ApiError } from "@/lib/client/api";
import { SignInForm } from "./sign-in-form";

afterEach(cleanup);

function fill(email: string, password: string) {
  fireEvent.change(screen.getByLabelText("E-mail"), { target: { value: email } });
  fireEvent.change(screen.getByLabelText("Password"), { target: { value: password } });
  fireEvent.click(screen.getByRole("button", { name: "Sign in" }));
}

it("says what is missing beside each field and sends nothing", async () => {
  const onSubmit = vi.fn(async () => {});
  render(<SignInForm onSubmit={onSubmit} />);
  fill("nobody", "");
  expect(await screen.findByText("Enter your password.")).toBeTruthy();
  const email = screen.getByLabelText("E-mail");
  expect(email.getAttribute("aria-invalid")).toBe("true");
  expect(document.getElementById(email.getAttribute("aria-describedby") ?? "")?.textContent).toContain("Enter an address");
  expect(onSubmit).not.toHaveBeenCalled();
});

it("shows the server's answer and keeps what was typed", async () => {
  const refusal = new ApiError({
    status: 401,
    code: "unauthenticated",
    title: "Sign-in failed",
    detail: "The address or the password is wrong.",
    requestId: "r1",
  });
  const onSubmit = vi.fn(() => Promise.reject(refusal));
  render(<SignInForm onSubmit={onSubmit} />);
  fill("person@example.com", "a wrong password");
  expect((await screen.findByRole("alert")).textContent).toContain("The address or the password is wrong.");
  expect(screen.getByLabelText<HTMLInputElement>("E-mail").value).toBe("person@example.com");
  await waitFor(() => expect(screen.getByRole("button", { name: "Sign in" }).getAttribute("aria-disabled")).toBeNull());
  expect(onSubmit).toHaveBeenCalledWith({ email: "person@example.com", password: "a wrong password" });
});

it("offers the identity provider only where there is one", () => {
  const onOidc = vi.fn();
  render(<SignInForm onSubmit={async () => {}} oidcName="Keycloak" onOidc={onOidc} />);
  fireEvent.click(screen.getByRole("button", { name: "Continue with Keycloak" }));
  expect(onOidc).toHaveBeenCalledOnce();
  cleanup();
  render(<SignInForm onSubmit={async () => {}} />);
  expect(screen.queryByRole("button", { name: /Continue with/ })).toBeNull();
});
