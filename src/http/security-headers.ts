/** The three documents differ in what they may load. */
export type DocumentKind = 'site' | 'sign-in' | 'portal'

/** Headers of every HTML document. On plain http, those that promise https are left out: they would block every script. */
export function securityHeaders(kind: DocumentKind, publicUrl: string): Record<string, string> {
  const isHttps = publicUrl.startsWith('https:')
  return {
    'Content-Security-Policy': contentSecurityPolicy(kind, isHttps),
    'X-Content-Type-Options': 'nosniff',
    // A form post without JavaScript needs its origin; a verification link must not leave the page at all.
    'Referrer-Policy': kind === 'site' ? 'strict-origin-when-cross-origin' : 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
    ...(isHttps && {
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Strict-Transport-Security': 'max-age=63072000',
    }),
  }
}

function contentSecurityPolicy(kind: DocumentKind, isHttps: boolean): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    ...(kind === 'site' ? ['frame-src https://www.openstreetmap.org/export/'] : []),
    ...(kind === 'site' ? [] : ["require-trusted-types-for 'script'"]),
    ...(isHttps ? ['upgrade-insecure-requests'] : []),
  ].join('; ')
}
