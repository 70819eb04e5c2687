"use client";

import { keepPreviousData, useMutation, useQuery, useQueryClient, type UseMutationResult, type UseQueryResult } from "@tanstack/react-query";
import { can, denialReason, type Actor, type Permission } from "@/lib/domain/policy";
import type { Input, Output, ReadName, WriteName } from "@/lib/services/registry";
import { callRead, callWrite, type ApiError } from "./api";
import { isLeaving, leaveEverything } from "./leaving";
import { signOut } from "./session";

/** [entity, verb, input]: the one form of a query key. */
export function readKey<Name extends ReadName>(name: Name, input: Input<Name>): readonly [string, string, Input<Name>] {
  const [entity = name, verb = ""] = name.split(".");
  return [entity, verb, input];
}

type ReadOptions = { enabled?: boolean; refetchInterval?: number | false; keepPrevious?: boolean };

/** The answer of a read operation, kept fresh in the query cache. */
export function useRead<Name extends ReadName>(name: Name, input: Input<Name>, options: ReadOptions = {}): UseQueryResult<Output<Name>, ApiError> {
  return useQuery<Output<Name>, ApiError>({
    queryKey: readKey(name, input),
    // An interval that runs already ticks on although it is not enabled any more: such a read never begins.
    queryFn: ({ signal }) => (isLeaving(input) ? new Promise<never>(() => undefined) : callRead(name, input, signal)),
    enabled: () => (options.enabled ?? true) && !isLeaving(input),
    refetchInterval: options.refetchInterval ?? false,
    ...(options.keepPrevious ? { placeholderData: keepPreviousData } : {}),
  });
}

/** A write operation; afterwards everything of its entity, and of the entities that it `touches`, is read again. */
export function useWrite<Name extends WriteName>(name: Name, touches: string[] = []): UseMutationResult<Output<Name>, ApiError, Input<Name>> {
  const client = useQueryClient();
  return useMutation<Output<Name>, ApiError, Input<Name>>({
    mutationFn: (input) => callWrite(name, input),
    onSuccess: async () => {
      const entities = [String(name).split(".")[0] ?? name, ...touches];
      await Promise.all(entities.map((entity) => client.invalidateQueries({ queryKey: [entity] })));
    },
  });
}

/** The signed-in person as the policy table sees them. */
export function useActor(): Actor | undefined {
  return useRead("account.get", {}).data;
}

/** Whether the person may, and why not: for buttons. The server decides again. */
export function useCan(permission: Permission, environmentId: string | null): { allowed: boolean; reason: string | undefined } {
  const actor = useActor();
  if (!actor) return { allowed: false, reason: undefined };
  return { allowed: can(actor, permission, environmentId), reason: denialReason(actor, permission, environmentId) };
}

/** Signs out: what is being read is given up first, as the answer would only be a refusal. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    const stay = leaveEverything();
    await client.cancelQueries();
    await signOut().catch((error: unknown) => {
      stay();
      throw error;
    });
  };
}
