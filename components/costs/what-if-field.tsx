import type { ReactNode } from "react";
import { Field, Slider } from "@/components/ui/field";
import { DecimalInput } from "./decimal-input";

export type WhatIfFieldProps = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  range: { min: number; max: number; step: number };
  /** The value in words, for those who hear it. */
  words?: string;
  aside?: ReactNode;
  isChanged?: boolean;
};

/** One input twice: a slider to feel it, a number to say it exactly. */
export function WhatIfField({ label, value, onChange, range, words, aside, isChanged }: WhatIfFieldProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_7rem] items-end gap-x-3" data-changed={isChanged || undefined}>
      <Field label={label} aside={aside}>
        <Slider {...range} value={Number(value)} aria-valuetext={words} onChange={(event) => onChange(event.target.value)} />
      </Field>
      <DecimalInput aria-label={`${label}, exact`} value={value} className="text-right tabular-nums" onChange={onChange} />
    </div>
  );
}
