import "server-only";

export type HeaderSettings = { nonce: string; isDev: boolean; portalUrl: string; oidcIssuer?: string | undefined };

/**
 * The content security policy of a page: scripts only by this request's nonce (and what those load), nothing from elsewhere.
 * Styles may be inline, as the component libraries position what they open with style attributes, which a nonce cannot cover.
 * The development server needs eval for React's error stacks.
 */
export function contentSecurityPolicy({ nonce, isDev, portalUrl, oidcIssuer }: HeaderSettings): string {
  const signIn = oidcIssuer ? ` ${new URL(oidcIssuer).origin}` : ""; // browsers also check where a form's answer redirects to
  const directives = [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDev ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "frame-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    `form-action 'self'${signIn}`,
  ];
  return (isHttps(portalUrl) ? [...directives, "upgrade-insecure-requests"] : directives).join("; ");
}

/** Headers of every page. Strict-Transport-Security only where the portal is reached by HTTPS: elsewhere it would lock people out. */
export function pageHeaders(settings: HeaderSettings): Record<string, string> {
  return {
    "Content-Security-Policy": contentSecurityPolicy(settings),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
    "Cache-Control": "no-store",
    ...(isHttps(settings.portalUrl) ? { "Strict-Transport-Security": "max-age=31536000; includeSubDomains" } : {}),
  };
}

function isHttps(url: string): boolean {
  return new URL(url).protocol === "https:";
}
