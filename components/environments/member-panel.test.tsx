import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { TooltipProvider } from "@/components/ui/tooltip";
import { readKey } from "@/lib/client/hooks";
import { createQueryClient } from "@/lib/client/query-client";
import type { Output } from "@/lib/client/api";
import { ROLES, type Role } from "@/lib/domain/policy";
import { MemberPanel } from "./member-panel";

const environmentId = "019d0000-0000-7000-8000-00000000000a";
const me = "019d0000-0000-7000-8000-000000000001";
const other = "019d0000-0000-7000-8000-000000000002";

function row(userId: string, name: string, role: Role): Output<"members.list">["members"][number] {
  return { member: { kind: "person", userId }, name, email: null, role, isConfigured: false, isDisabled: false, since: "2026-11-01T00:00:00.000Z" };
}

function show(role: Role) {
  const client = createQueryClient();
  const account: Output<"account.get"> = { kind: "user", userId: me, name: "Me", email: null, method: "password", isOwner: false, grants: [{ environmentId, role }], scope: null };
  client.setQueryData(readKey("account.get", {}), account);
  client.setQueryData(readKey("members.list", { environmentId }), { members: [row(me, "Me", role), row(other, "Other", "deployer")], owners: 1 });
  render(
    <QueryClientProvider client={client}>
      <TooltipProvider>
        <MemberPanel environmentId={environmentId} />
      </TooltipProvider>
    </QueryClientProvider>,
  );
}

afterEach(cleanup);

/** The button's state and its reason as a screen reader hears it. */
function stateOf(name: string): string {
  const button = screen.getByRole("button", { name });
  const reason = document.getElementById(button.getAttribute("aria-describedby") ?? "")?.textContent;
  return button.getAttribute("aria-disabled") === "true" ? `disabled: ${reason}` : "enabled";
}

describe("what a member may do on the members panel (A12)", () => {
  it.each(ROLES.filter((role) => role !== "admin"))("a %s finds every button disabled, each with its reason", (role) => {
    show(role);
    const needsAdmin = "disabled: This needs the role admin in this environment. Ask one of its admins.";
    expect([stateOf("Add member"), stateOf("Remove Other")]).toEqual([needsAdmin, needsAdmin]);
    expect(screen.queryByRole("combobox", { name: "Role of Other" })).toBeNull();
  });

  it("an admin changes others, and not the own role", () => {
    show("admin");
    expect([stateOf("Add member"), stateOf("Remove Other")]).toEqual(["enabled", "enabled"]);
    expect(screen.getByRole("combobox", { name: "Role of Other" })).toHaveProperty("value", "deployer");
    expect(screen.queryByRole("combobox", { name: "Role of Me" })).toBeNull();
    expect(screen.getByText(/Nobody changes their own role/)).toBeTruthy();
  });
});
