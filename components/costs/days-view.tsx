"use client";

import { CartesianGrid, Line, LineChart, ReferenceLine, ResponsiveContainer, XAxis, YAxis } from "recharts";
import { apiSeriesAt, selfSeries } from "@/components/ui/series";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow, TableRowHeader } from "@/components/ui/table";
import { cents, formatCount, formatMoney, grouped } from "@/lib/domain/cost-format";
import type { CostReport } from "@/lib/domain/cost-report-schema";
import { useRead } from "@/lib/client/hooks";
import { LineSample } from "./chart-legend";
import { NotesPanel, type Notes } from "./notes-panel";

export type DaysViewProps = { report: CostReport; environmentId: string | null };

/** Both sides cumulated day by day, with the same numbers as a table. */
export function DaysView({ report, environmentId }: DaysViewProps) {
  const month = report.month.key;
  const notes = useRead("notes.list", { environmentId: environmentId ?? "", month }, { enabled: environmentId !== null }).data?.notes ?? [];
  const lines = [{ id: "self", name: "Your GPUs", style: selfSeries }, ...report.apis.map((api, index) => ({ id: api.id, name: api.name, style: apiSeriesAt(index) }))];
  const rows = report.days.map(({ day, costs }) => ({ day: Number(day.slice(-2)), ...Object.fromEntries(Object.entries(costs).map(([id, cost]) => [id, cost === null ? null : Number(cost)])) }));
  if (rows.length === 0) return <p className="text-muted-foreground">The month has not begun.</p>;
  return (
    <figure className="grid gap-3">
      <div role="img" aria-label={summary(report)} className="h-72 w-full min-w-0">
        <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 720, height: 288 }}>
          <LineChart data={rows} margin={{ top: 12, right: 24, bottom: 4, left: 12 }} accessibilityLayer={false}>
            <CartesianGrid vertical={false} stroke="var(--border)" />
            <XAxis dataKey="day" stroke="var(--border)" tick={{ fill: "var(--muted-foreground)", fontSize: 12 }} tickLine={false} />
            <YAxis stroke="var(--border)" tick={{ fill: "var(--muted-foreground)", fontSize: 12 }} tickLine={false} width={72} tickFormatter={(value: number) => formatCount(Math.round(value))} />
            {noteLines(notes)}
            {lines.map(({ id, style }) => (
              <Line key={id} dataKey={id} type="linear" stroke={style.color} strokeWidth={style.strokeWidth} {...(style.strokeDasharray ? { strokeDasharray: style.strokeDasharray } : {})} dot={rows.length === 1} isAnimationActive={false} />
            ))}
          </LineChart>
        </ResponsiveContainer>
      </div>
      <ul className="flex flex-wrap gap-x-5 gap-y-1.5 text-sm text-muted-foreground">
        {lines.map(({ id, name, style }) => (
          <li key={id} className="flex items-center gap-2">
            <LineSample style={style} />
            {name}
          </li>
        ))}
      </ul>
      {environmentId && <NotesPanel environmentId={environmentId} month={month} notes={notes} />}
      <details>
        <summary className="min-h-6 cursor-pointer text-sm text-muted-foreground hover:text-foreground">The same numbers as a table</summary>
        <div className="mt-2 max-h-96 overflow-y-auto">
          <Table caption={`Cost in ${report.currency} from the month's first day on, by day`}>
            <TableHead>
              <TableHeader>To the end of</TableHeader>
              <TableHeader numeric>Pages</TableHeader>
              {lines.map(({ id, name }) => (
                <TableHeader key={id} numeric unit={report.currency}>
                  {name}
                </TableHeader>
              ))}
            </TableHead>
            <TableBody>
              {report.days.map(({ day, pages, costs }) => (
                <TableRow key={day}>
                  <TableRowHeader>{day}</TableRowHeader>
                  <TableCell numeric>{formatCount(pages)}</TableCell>
                  {lines.map(({ id }) => (
                    <TableCell key={id} numeric>
                      {costs[id] ? grouped(cents(costs[id])) : "unpriced"}
                    </TableCell>
                  ))}
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </div>
      </details>
    </figure>
  );
}

/** A mark for each note; its number stands beside its words below. */
function noteLines(notes: Notes) {
  return notes.map(({ id, day }, index) => (
    <ReferenceLine key={id} x={Number(day.slice(-2))} stroke="var(--muted-foreground)" strokeDasharray="3 3" label={{ value: String(index + 1), position: "top", fill: "var(--foreground)", fontSize: 12 }} ifOverflow="hidden" />
  ));
}

function summary({ days, month, currency, apis }: CostReport): string {
  const last = days.at(-1);
  if (!last) return `Cost by day in ${month.label}`;
  const word = (id: string, name: string) => (last.costs[id] ? `${name} ${formatMoney({ amount: last.costs[id], currency })}` : `${name} unpriced`);
  return `Cost cumulated by day in ${month.label}. By ${last.day}: ${[word("self", "your GPUs"), ...apis.map((api) => word(api.id, api.name))].join(", ")}.`;
}
