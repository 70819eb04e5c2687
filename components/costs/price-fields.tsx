import { Field, Input, Select, Textarea } from "@/components/ui/field";
import type { Output } from "@/lib/client/api";

export type PriceFormKind = "node" | "node_type" | "api" | "rate";
export type PriceFieldsProps = { kind: PriceFormKind; prices: Output<"prices.list">["prices"] };

type TextProps = { label: string; name: string; hint?: string; isOptional?: boolean; defaultValue?: string; type?: string; list?: string };

function Text({ label, name, hint, isOptional, ...input }: TextProps) {
  return (
    <Field label={label} hint={hint} required={!isOptional}>
      <Input name={name} required={!isOptional} maxLength={500} {...input} />
    </Field>
  );
}

/** The fields of one kind of price. */
export function PriceFields({ kind, prices }: PriceFieldsProps) {
  const today = new Date().toISOString().slice(0, 10);
  const subjects = [...new Set(prices.filter((one) => one.kind === (kind === "node" ? "node_type" : kind)).map((one) => one.subject))];
  return (
    <div className="grid gap-4">
      <datalist id="price-subjects">
        {subjects.map((subject) => (
          <option key={subject} value={subject} />
        ))}
      </datalist>
      <div className="grid gap-3 sm:grid-cols-2">
        {kind === "api" && <ApiFields />}
        {kind === "node" && <NodeFields />}
        {kind === "node_type" && <NodeTypeFields />}
        {kind === "rate" && <RateFields today={today} />}
        {kind !== "rate" && <Text label="Currency" name="currency" defaultValue="USD" />}
        {kind !== "node_type" && <Text label="Source" name="source" hint="An address, an offer, a contract." />}
        {(kind === "api" || kind === "node") && (
          <>
            <Text label="Read on" name="asOf" type="date" defaultValue={today} />
            <FromFields />
          </>
        )}
      </div>
    </div>
  );
}

function FromFields() {
  return (
    <>
      <Field label="Counts from" hint="An earlier hour corrects the past: you see first what changes.">
        <Select name="from" defaultValue="now">
          <option value="now">now</option>
          <option value="at">the instant below</option>
          <option value="beginning">the beginning of all records</option>
        </Select>
      </Field>
      <Text label="Instant, in your time zone" name="fromAt" type="datetime-local" isOptional />
    </>
  );
}

function ApiFields() {
  return (
    <>
      <Text label="Short id" name="offerId" list="price-subjects" hint="A known one gets a new version: textract-detect-text." />
      <Text label="Vendor" name="provider" />
      <Text label="Product" name="product" />
      <Text label="Feature" name="feature" />
      <Field label="Billing">
        <Select name="billing">
          <option value="graduated">graduated: each page at its own tier</option>
          <option value="volume">whole volume: the tier of the month for every page</option>
        </Select>
      </Field>
      <Field label="Tiers" hint="One a line: pages up to, then the price per 1,000 pages. The last line is only the price." required className="sm:col-span-2">
        <Textarea name="tiers" required rows={3} mono placeholder={"1000000 1.50\n0.60"} />
      </Field>
      <Text label="Commitment: fee a month" name="monthlyFee" isOptional />
      <Text label="Pages that the fee covers" name="includedPages" isOptional />
      <Text label="Free pages a month" name="freePages" isOptional />
    </>
  );
}

function NodeFields() {
  return (
    <>
      <Text label="Node type" name="skuId" list="price-subjects" />
      <Text label="Region" name="region" />
      <Field label="Bought">
        <Select name="mode">
          <option value="on_demand">on demand</option>
          <option value="spot">spot</option>
          <option value="commit_1y">one-year commitment</option>
          <option value="commit_3y">three-year commitment</option>
        </Select>
      </Field>
      <Text label="Price per node-hour" name="perHour" />
      <Text label="Contract discount, %" name="discountPercent" isOptional />
    </>
  );
}

function NodeTypeFields() {
  return (
    <>
      <Text label="Short id" name="skuId" hint="Lower-case letters, digits, dashes: own-l40s." />
      <Text label="Provider" name="provider" />
      <Text label="Name" name="sku" />
      <Text label="GPU" name="gpu" hint="As published rates name it: NVIDIA L4." />
      <Text label="GPUs" name="gpuCount" type="number" defaultValue="1" />
      <Text label="Memory of a GPU, GB" name="gpuMemoryGb" type="number" />
    </>
  );
}

function RateFields({ today }: { today: string }) {
  return (
    <>
      <Text label="One" name="base" defaultValue="EUR" />
      <Text label="in" name="quote" defaultValue="USD" />
      <Text label="Rate" name="rate" />
      <Text label="Day of the rate" name="date" type="date" defaultValue={today} />
    </>
  );
}
