import { useState, type ComponentProps } from "react";
import { Input } from "@/components/ui/field";
import { DECIMAL } from "@/lib/domain/money";

export type DecimalInputProps = Omit<ComponentProps<typeof Input>, "value" | "onChange"> & { value: string; onChange: (value: string) => void };

/** A decimal while it is typed: "0." and nothing at all stay in the field, and only whole decimals are told. */
export function DecimalInput({ value, onChange, ...props }: DecimalInputProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const type = (text: string) => {
    if (!/^\d{0,9}(\.\d{0,9})?$/.test(text)) return;
    setDraft(text);
    if (DECIMAL.test(text)) onChange(text.replace(/^0+(?=\d)/, ""));
  };
  return <Input inputMode="decimal" value={draft ?? value} onChange={(event) => type(event.target.value)} onBlur={() => setDraft(null)} {...props} />;
}
