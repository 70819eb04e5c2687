import { Select } from "@/components/ui/field";
import { ROLE_MEANING, ROLES } from "@/lib/domain/policy";
import { Role } from "@/lib/domain/policy-schema";

export type RoleSelectProps = { name?: string; label?: string; value?: Role; defaultValue?: Role; onChange?: (role: Role) => void };

/** The four roles, each with its meaning on hover. `label` names it where no Field does. */
export function RoleSelect({ label, onChange, ...props }: RoleSelectProps) {
  return (
    <Select {...props} {...(label ? { "aria-label": label } : {})} onChange={(event) => onChange?.(Role.parse(event.target.value))}>
      {ROLES.map((role) => (
        <option key={role} value={role} title={ROLE_MEANING[role]}>
          {role}
        </option>
      ))}
    </Select>
  );
}
