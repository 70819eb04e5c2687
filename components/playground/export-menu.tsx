"use client";

import { Download } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "@/components/ui/dropdown-menu";
import { readUrl } from "@/lib/client/api";
import { EXPORT_FORMATS } from "@/lib/domain/export-format";

type ExportMenuProps = { runId: string; hidden: ReadonlySet<string> };

/** Takes the text away in one of the forms: what is hidden on the screen is left out there too. */
export function ExportMenu({ runId, hidden }: ExportMenuProps) {
  const hide = [...hidden].sort();
  return (
    <Menu trigger={<Button><Download aria-hidden /> Download</Button>}>
      {EXPORT_FORMATS.map(({ format, title }) => (
        <MenuItem key={format} asChild>
          <a href={readUrl("runs.export", { id: runId, format, ...(hide.length > 0 ? { hide } : {}) })} download>{title}</a>
        </MenuItem>
      ))}
      {hide.length > 0 && <MenuSeparator />}
      {hide.length > 0 && <MenuLabel>Without {hide.join(", ")}: hidden on the screen</MenuLabel>}
    </Menu>
  );
}
