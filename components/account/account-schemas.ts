import { z } from "zod";

export const passwordMinLength = 12;
const passwordMaxLength = 256;

const email = z.email("Enter an address such as name@company.com.").max(254);
const personName = z.string().trim().min(1, "Enter your name.").max(120, "Use at most 120 characters.");
const newPassword = z
  .string()
  .min(passwordMinLength, `Use at least ${passwordMinLength} characters.`)
  .max(passwordMaxLength, `Use at most ${passwordMaxLength} characters.`);

export const SignInValues = z.strictObject({ email, password: z.string().min(1, "Enter your password.").max(passwordMaxLength) });
export type SignInValues = z.infer<typeof SignInValues>;

export const OwnerSetupValues = z.strictObject({ name: personName, email, password: newPassword });
export type OwnerSetupValues = z.infer<typeof OwnerSetupValues>;

export const AcceptInvitationValues = z.strictObject({ name: personName, password: newPassword });
export type AcceptInvitationValues = z.infer<typeof AcceptInvitationValues>;
