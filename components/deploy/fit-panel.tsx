"use client";

import { EstimatedBadge } from "@/components/ui/badge";
import { Figure, Figures } from "@/components/ui/figure";
import { formatNumber } from "@/components/ui/format";
import { Meter } from "@/components/ui/meter";
import { Notice } from "@/components/ui/notice";
import { useRead } from "@/lib/client/hooks";
import { measuredBudget } from "@/lib/domain/fit-measured";
import type { DeployForm } from "./use-deploy-form";

type FitProps = Pick<DeployForm, "fit" | "sku" | "model">;

const gib = (mib: number) => `${formatNumber(mib / 1024, { digits: 1, minDigits: 1 })} GiB`;

/** Whether the model fits, term by term: estimated, and as the engine logged it once one has run on this size. */
export function FitPanel({ fit, sku, model }: FitProps) {
  const { vram } = fit;
  const terms = vram.terms.filter((term) => term.id !== "free");
  const outside = { label: `Left to the driver and others (${Math.round((1 - vram.utilization) * 100)} %)`, value: vram.totalMib - vram.usableMib };
  return (
    <div className="grid gap-4">
      <Meter
        label={`GPU memory of one ${sku.gpu.name}, with ${vram.pagesAtOnce} pages at once`}
        capacity={vram.totalMib}
        format={gib}
        terms={[...terms.map((term) => ({ label: term.label, value: term.mib, estimated: term.estimated })), outside]}
      />
      <Measured fit={fit} sku={sku} model={model} />
      <NodeShare fit={fit} />
      {fit.reasons.map((reason) => (
        <Notice key={reason.text} tone={reason.level === "blocker" ? "failed" : "warning"} title={reason.text} />
      ))}
      <details className="text-sm">
        <summary className="cursor-pointer">Where the memory goes</summary>
        <dl className="mt-2 grid gap-2">
          {vram.terms.map((term) => (
            <div key={term.id}>
              <dt className="flex flex-wrap items-center gap-2">
                {term.label} {gib(term.mib)} {term.estimated && <EstimatedBadge />}
              </dt>
              <dd className="text-muted-foreground">{term.explanation}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}

function Measured({ fit, sku, model }: FitProps) {
  const { data } = useRead("catalog.measured", { modelId: model.id, skuId: sku.id }, { keepPrevious: true });
  if (!data) return null;
  const measured = data.logged && measuredBudget(model, fit.vram, data.logged.facts);
  return (
    <>
      {data.logged && measured && (
        <Meter
          label={`As ${data.logged.deployment} logged it on ${data.logged.at.slice(0, 10)}${data.logged.isSandbox ? " (sandbox: simulated)" : ""}`}
          capacity={fit.vram.totalMib}
          format={gib}
          terms={measured.terms.map((term) => ({ label: term.label, value: term.mib, ...(term.id === "kv" && measured.pagesMax !== null ? { note: `${measured.pagesMax} typical pages at once` } : {}) }))}
        />
      )}
      {data.pages && (
        <p className="text-sm text-muted-foreground">
          Measured here: {formatNumber(data.pages.secondsPerPage, { digits: 1, minDigits: 1 })} s a page, over {formatNumber(data.pages.count)} pages of the last 30 days.
        </p>
      )}
    </>
  );
}

const bases = { "live node": "as a live node reports it", documented: "as the provider documents its reservations", estimate: "estimated", default: "not known for own nodes" };

/** What the pod asks of the node's processor and memory, against what the node can give. */
function NodeShare({ fit: { vram, requests } }: Pick<FitProps, "fit">) {
  const { availableCpuMillis, availableMemoryMib } = requests;
  const basis = bases[requests.basis];
  const of = (text: string | null) => (text === null ? basis : `of ${text} that the node leaves to it, ${basis}`);
  return (
    <Figures>
      <Figure label="Pages at once" value={formatNumber(vram.pagesMax)} note="typical pages, estimated" />
      <Figure label="CPU asked for" value={`${formatNumber(requests.cpuMillis / 1000, { digits: 1 })}`} note={of(availableCpuMillis === null ? null : formatNumber(availableCpuMillis / 1000, { digits: 1 }))} />
      <Figure label="Memory asked for" value={gib(requests.memoryMib)} note={of(availableMemoryMib === null ? null : gib(availableMemoryMib))} />
    </Figures>
  );
}
