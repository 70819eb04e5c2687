import { z } from "zod";

export const PASSWORD_MIN_LENGTH = 12;
const PASSWORD_MAX_LENGTH = 256;

const CONTROL = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** A name that people gave to themselves or to a thing: one line, without control or direction characters. */
export const PlainName = z
  .string()
  .trim()
  .min(1, "Enter a name.")
  .max(120, "Use at most 120 characters.")
  .refine((name) => !CONTROL.test(name), "Use printable characters only, on one line.");

export const EmailAddress = z.string().trim().toLowerCase().max(254).pipe(z.email("Enter an address such as name@company.com."));

export const NewPassword = z
  .string()
  .min(PASSWORD_MIN_LENGTH, `Use at least ${PASSWORD_MIN_LENGTH} characters.`)
  .max(PASSWORD_MAX_LENGTH, `Use at most ${PASSWORD_MAX_LENGTH} characters.`);

export const SignInMethod = z.enum(["password", "oidc"]);
export type SignInMethod = z.infer<typeof SignInMethod>;

/** What an identity provider says of a person. Issuer and subject together are the person; everything else may change. */
export type OidcIdentity = { issuer: string; subject: string; name: string; email: string | null; groups: string[] };

const Claims = z.object({
  iss: z.string().min(1).max(500),
  sub: z.string().min(1).max(255),
  name: z.string().optional().catch(undefined),
  preferred_username: z.string().optional().catch(undefined),
  email: EmailAddress.nullish().catch(null),
  groups: z.array(z.string().min(1).max(200)).max(500).optional().catch(undefined),
});

/** Reads verified claims. Throws a ZodError when issuer or subject are missing; a wrong name, e-mail or group list is left out. */
export function identityOf(claims: unknown): OidcIdentity {
  const { iss, sub, name, preferred_username, email, groups } = Claims.parse(claims);
  const called = [name, preferred_username, email].map((text) => PlainName.safeParse(text)).find((parsed) => parsed.success);
  return { issuer: iss, subject: sub, name: called?.data ?? "Unnamed person", email: email ?? null, groups: [...new Set(groups ?? [])] };
}
