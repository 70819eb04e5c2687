"use client";

import { Page, PageHeader } from "@/components/ui/page-header";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs";
import { useActor } from "@/lib/client/hooks";
import { useUrlState } from "@/lib/client/url-state";
import { can } from "@/lib/domain/policy";
import { AccountPanel } from "./account-panel";
import { LimitsPanel } from "./limits-panel";
import { PeoplePanel } from "./people-panel";
import { RoleTable } from "./role-table";
import { SessionPanel } from "./session-panel";
import { TokenPanel } from "./token-panel";

export function SettingsPage() {
  const url = useUrlState();
  const actor = useActor();
  const isOwner = actor ? can(actor, "portal.manage", null) : false;
  const tabs = ["account", "tokens", ...(isOwner ? ["people", "limits"] : []), "roles"];
  const tab = tabs.find((one) => one === url.get("tab")) ?? "account";
  const words: Record<string, string> = { account: "Account and sessions", tokens: "Tokens", people: "People", limits: "Limits", roles: "Roles" };
  return (
    <Page>
      <PageHeader title="Settings" sentence="Your account, and what others may do." />
      <Tabs value={tab} onValueChange={(next) => url.set({ tab: next === "account" ? undefined : next })}>
        <TabsList aria-label="Settings">
          {tabs.map((one) => (
            <TabsTrigger key={one} value={one}>
              {words[one]}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsContent value="account" className="grid gap-4">
          <AccountPanel />
          <SessionPanel />
        </TabsContent>
        <TabsContent value="tokens">
          <TokenPanel />
        </TabsContent>
        <TabsContent value="people">
          <PeoplePanel />
        </TabsContent>
        <TabsContent value="limits">
          <LimitsPanel />
        </TabsContent>
        <TabsContent value="roles">
          <RoleTable />
        </TabsContent>
      </Tabs>
    </Page>
  );
}
