"use client";

import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Field, Input, Select } from "@/components/ui/field";
import { Panel } from "@/components/ui/panel";
import { ErrorState, LoadingPanels } from "@/components/ui/states";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow, TableRowHeader } from "@/components/ui/table";
import type { Output } from "@/lib/client/api";
import { useCan, useRead } from "@/lib/client/hooks";
import { PriceDialog } from "./price-dialog";

type Listing = Output<"prices.list">["prices"][number];
const KINDS: Record<string, string> = { node: "Node-hours", api: "Managed APIs", rate: "Exchange rates", throughput: "Published rates of models" };

/** Every price with source, date, age and the instant from which it counts; owners enter and correct them here. */
export function PriceTable() {
  const list = useRead("prices.list", {});
  const may = useCan("portal.manage", null);
  const [kind, setKind] = useState("node");
  const [text, setText] = useState("");
  if (list.error) return <ErrorState problem={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return <LoadingPanels count={1} />;
  const rows = list.data.prices.filter((one) => one.kind === kind && titleOf(one).toLowerCase().includes(text.toLowerCase()));
  const old = list.data.prices.filter((one) => one.state === "in_force" && one.warning).length;
  return (
    <Panel
      title="Price book"
      description={`${list.data.prices.length} prices; ${old} of those in force are older than 90 days or undated: check them at their source.`}
      actions={<PriceDialog reason={may.reason ?? null} prices={list.data.prices} />}
      padded={false}
    >
      <div className="flex flex-wrap gap-3 p-4">
        <Field label="Show" className="w-56">
          <Select value={kind} onChange={(event) => setKind(event.target.value)}>
            {Object.entries(KINDS).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Containing" className="w-56">
          <Input type="search" value={text} onChange={(event) => setText(event.target.value)} />
        </Field>
      </div>
      <Table caption={KINDS[kind] ?? "Prices"}>
        <TableHead>
          <TableHeader>What</TableHeader>
          <TableHeader>Price</TableHeader>
          <TableHeader>Counts from</TableHeader>
          <TableHeader>Read on</TableHeader>
          <TableHeader>Source</TableHeader>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <TableRow key={row.id}>
              <TableRowHeader wrap>{titleOf(row)}</TableRowHeader>
              <TableCell wrap className="tabular-nums">
                {priceWords(row)} {row.state !== "in_force" && <Badge>{row.state === "past" ? "replaced later" : "to come"}</Badge>}
              </TableCell>
              <TableCell>{row.effectiveFrom ? row.effectiveFrom.slice(0, 16).replace("T", " ") : "the beginning"}</TableCell>
              <TableCell>
                {row.asOf ?? "–"}{" "}
                {row.warning && (
                  <Badge tone="warning" title={row.warning}>
                    old
                  </Badge>
                )}
              </TableCell>
              <TableCell>{sourceOf(row)}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Panel>
  );
}

function sourceOf({ source }: Listing) {
  if (!source || !URL.canParse(source)) return source ?? "–";
  return (
    <a href={source} target="_blank" rel="noreferrer noopener" className="underline underline-offset-2 hover:text-accent">
      {new URL(source).hostname}
    </a>
  );
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function titleOf({ kind, subject, region, mode, value }: Listing): string {
  if (kind === "api") return `${textOf(value.product)}: ${textOf(value.feature)}`;
  return [subject, kind === "rate" ? "" : region, mode.replace("_", " ")].filter(Boolean).join(", ");
}

type TierValue = { per_1000?: string | null; to_page?: number | null };

function priceWords({ kind, value }: Listing): string {
  if (kind === "node") return `${textOf(value.per_hour)} ${textOf(value.currency)} per hour${value.discount_percent ? `, less ${textOf(value.discount_percent)} %` : ""}`;
  if (kind === "rate") return textOf(value.rate);
  if (kind === "throughput") return value.pages_per_second ? `${textOf(value.pages_per_second)} pages/s` : textOf(value.ratio);
  const tiers: TierValue[] = Array.isArray(value.tiers) ? value.tiers : [];
  const words = tiers.map((tier) => `${tier.per_1000 ?? "unpriced"}${tier.to_page ? ` to ${tier.to_page}` : ""}`);
  const fee = value.monthly_fee ? `${textOf(value.monthly_fee)} a month with ${textOf(value.included_pages) || "0"} pages, then ` : "";
  return words.length > 0 ? `${fee}${words.join(", then ")} ${textOf(value.currency)} per 1,000 pages` : "unpriced";
}
