import "server-only";
import { z } from "zod";
import { DomainError, type ErrorCode } from "@/lib/domain/errors";

export type StatusCause = { reason?: string; message?: string; field?: string };

const Status = z.object({
  kind: z.literal("Status"),
  message: z.string().optional(),
  reason: z.string().optional(),
  code: z.number().optional(),
  details: z
    .object({
      retryAfterSeconds: z.number().optional(),
      causes: z.array(z.object({ reason: z.string().optional(), message: z.string().optional(), field: z.string().optional() })).optional(),
    })
    .optional(),
});

const codes: Record<number, ErrorCode> = {
  400: "unprocessable",
  403: "unprocessable",
  404: "not_found",
  405: "unprocessable",
  409: "conflict",
  410: "expired",
  413: "too_large",
  415: "unprocessable",
  422: "unprocessable",
  429: "rate_limited",
  503: "unavailable",
  504: "unavailable",
};

/**
 * A refusal by a Kubernetes API: its own message, its HTTP status and reason, and for conflicts and invalid objects the causes by field.
 * A 401 is `upstream_failed`: it is Lectern's credential that was refused, not the person's.
 */
export class KubeStatusError extends DomainError {
  readonly status: number;
  readonly reason: string;
  readonly causes: StatusCause[];

  constructor(status: number, body: unknown) {
    const parsed = Status.safeParse(body);
    const answer = parsed.success ? parsed.data : undefined;
    const causes = answer?.details?.causes ?? [];
    super(codes[status] ?? "upstream_failed", sentence(status, answer?.message), {
      retryAfterSeconds: answer?.details?.retryAfterSeconds,
      fields: causes.map((cause) => ({ path: cause.field ?? "", message: cause.message ?? cause.reason ?? "" })),
    });
    this.name = "KubeStatusError";
    this.status = status;
    this.reason = answer?.reason ?? "";
    this.causes = causes;
  }

  /** Whether trying again with the same credential can not help. */
  get isAccessLost(): boolean {
    return this.status === 401 || this.status === 403;
  }
}

function sentence(status: number, message: string | undefined): string {
  if (status === 401) return "The cluster no longer accepts Lectern's credential: link the cluster again.";
  // Only a Status object is repeated; another body may come from anything that stands in between.
  return message === undefined || message === ""
    ? `The cluster answered ${status} without an explanation.`
    : `The cluster answered: ${message.slice(0, 2000)}`;
}
