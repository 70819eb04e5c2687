"use client";

import { Download } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Field, Input, Select } from "@/components/ui/field";
import { formatCount } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { Empty, LoadingText } from "@/components/ui/states";
import type { Output } from "@/lib/client/api";
import { useCan, useRead } from "@/lib/client/hooks";
import { LogLines } from "./log-lines";
import { useLog } from "./use-log";

type LogPanelProps = { id: string; name: string; environmentId: string };
type Pods = Output<"deployments.objects">["pods"];

const ALL = "all";

/** Logs of every pod and container, also of the one before a crash. */
export function LogPanel({ id, name, environmentId }: LogPanelProps) {
  const may = useCan("logs.read", environmentId);
  const objects = useRead("deployments.objects", { id }, { enabled: may.allowed });
  if (may.reason) return <Empty title="Logs are not for everybody.">{may.reason}</Empty>;
  if (!objects.data) return <LoadingText />;
  if (objects.data.pods.length === 0) return <Empty title="No pod exists now, so there is no log." />;
  return <PodLogs id={id} name={name} pods={objects.data.pods} />;
}

function PodLogs({ id, name, pods }: { id: string; name: string; pods: Pods }) {
  const [chosen, setChosen] = useState("");
  const [isPreviousWanted, setPrevious] = useState(false);
  const [isFollowing, setFollowing] = useState(true);
  const [search, setSearch] = useState("");
  const options = pods.flatMap((pod) => pod.containers.map((container) => ({ value: `${pod.name}/${container.name}`, pod: pod.name, container })));
  const serving = options.filter((option) => !option.container.isInit);
  const isAll = chosen === ALL && serving.length > 1;
  const current = isAll ? undefined : (options.find((option) => option.value === chosen) ?? serving[0] ?? options[0]);
  const previous = isPreviousWanted && current?.container.hasPrevious === true;
  const shownOptions = isAll ? serving : current ? [current] : [];
  const log = useLog({ id, sources: shownOptions.map((option) => ({ pod: option.pod, container: option.container.name })), previous, isFollowing });
  const wanted = search.toLowerCase();
  const shown = wanted === "" ? log.lines : log.lines.filter((line) => line.text.toLowerCase().includes(wanted));
  return (
    <Panel title="Logs" description="Who reads them is on the audit trail: a model server's lines may carry text of documents." actions={<DownloadButton name={name} lines={log.lines} />}>
      <div className="grid gap-4">
        <div className="grid items-end gap-4 sm:grid-cols-2">
          <Field label="Pod and container">
            <Select value={isAll ? ALL : (current?.value ?? "")} onChange={(event) => setChosen(event.target.value)}>
              {serving.length > 1 && <option value={ALL}>All pods, by time</option>}
              {options.map((option) => (
                <option key={option.value} value={option.value}>
                  {option.value}
                </option>
              ))}
            </Select>
          </Field>
          <Field label="Find in the lines">
            <Input type="search" value={search} onChange={(event) => setSearch(event.target.value)} />
          </Field>
          <Checkbox label="Follow" checked={isFollowing} onChange={(event) => setFollowing(event.target.checked)} />
          <Checkbox label="The container before the crash" disabled={!current?.container.hasPrevious} checked={previous} onChange={(event) => setPrevious(event.target.checked)} />
        </div>
        {log.error && <Notice tone="failed" title={log.error.message} />}
        {log.note && <Notice title="There is no log yet">{log.note}</Notice>}
        <p className="text-sm text-muted-foreground">
          {formatCount(shown.length, "line")}
          {wanted !== "" && ` of ${formatCount(log.lines.length, "line")}`}
          {log.isCut && ", the end of a longer log"}. Times are UTC.
        </p>
        <LogLines lines={shown} label={`Log of ${isAll ? "all pods" : (current?.value ?? name)}`} isFollowing={isFollowing} />
      </div>
    </Panel>
  );
}

function DownloadButton({ name, lines }: { name: string; lines: readonly { at: string; text: string }[] }) {
  function download() {
    const url = URL.createObjectURL(new Blob([lines.map((line) => `${line.at} ${line.text}\n`).join("")], { type: "text/plain" }));
    const link = Object.assign(document.createElement("a"), { href: url, download: `${name}.log` });
    link.click();
    URL.revokeObjectURL(url);
  }
  return <Button size="sm" disabledReason={lines.length === 0 ? "There is no line yet." : undefined} onClick={download}><Download aria-hidden /> Download</Button>;
}
