/** The three kinds of document, which differ in what they may load. */
export type DocumentKind = 'site' | 'sign-in' | 'portal'

/**
 * Headers of every HTML document. On plain http, those that require https are left out, because they would block every
 * script. @param hasBotCheck whether its forms use reCAPTCHA; otherwise Google's hosts are not allowed
 * @param styleSource of the one style element that the document may have, by its hash
 */
export function securityHeaders(
  kind: DocumentKind,
  publicUrl: string,
  hasBotCheck = false,
  styleSource?: string,
): Record<string, string> {
  const isHttps = publicUrl.startsWith('https:')
  return {
    ...transportHeaders(publicUrl),
    'Content-Security-Policy': contentSecurityPolicy(kind, isHttps, hasBotCheck, styleSource),
    'X-Content-Type-Options': 'nosniff',
    // The same as `frame-ancestors`, for browsers and scanners that do not know it.
    'X-Frame-Options': 'DENY',
    // A form post without JavaScript needs its origin; the token in a verification link must never be sent as a referrer.
    'Referrer-Policy': kind === 'site' ? 'strict-origin-when-cross-origin' : 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
    ...(isHttps && { 'Cross-Origin-Opener-Policy': 'same-origin' }),
  }
}

/**
 * Headers of a page of a draft, which the portal shows in a frame: nothing in it runs, and nothing of it is kept. It has no
 * `sandbox`, because WebKit would then not pass clicks on to the portal.
 */
export function previewHeaders(publicUrl: string, styleSource?: string): Record<string, string> {
  return {
    ...transportHeaders(publicUrl),
    'Content-Security-Policy': [
      "default-src 'none'",
      "script-src 'none'",
      styleDirective(styleSource),
      "img-src 'self' data:",
      "font-src 'self'",
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'self'",
      "object-src 'none'",
      ...(publicUrl.startsWith('https:') ? ['upgrade-insecure-requests'] : []),
    ].join('; '),
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'SAMEORIGIN',
    'X-Robots-Tag': 'noindex',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  }
}

/**
 * Headers of a mail as its sender has formatted it, which the portal shows in a frame. Its sender is a stranger: nothing in it
 * runs, sends or is fetched, and a link opens in another tab. The sandbox holds also where somebody opens it by itself.
 */
export function formattedMailHeaders(publicUrl: string): Record<string, string> {
  return {
    ...transportHeaders(publicUrl),
    'Content-Security-Policy': [
      'sandbox allow-popups allow-popups-to-escape-sandbox',
      "default-src 'none'",
      "style-src 'unsafe-inline'",
      'img-src data:',
      "frame-ancestors 'self'",
    ].join('; '),
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'SAMEORIGIN',
    'X-Robots-Tag': 'noindex',
    'X-DNS-Prefetch-Control': 'off',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
  }
}

/** Headers of every other response: opened by itself in a browser, it cannot run scripts or be framed. */
export function responseHeaders(publicUrl: string): Record<string, string> {
  return {
    ...transportHeaders(publicUrl),
    'Content-Security-Policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
  }
}

/** A browser that has used https keeps to it for two years. Subdomains are left out, because they may not all have https. */
export function transportHeaders(publicUrl: string): Record<string, string> {
  return publicUrl.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=63072000' } : {}
}

/** The map of the office, which a visitor can open. A request finds out first whether it can be reached. */
const MAP = 'https://www.openstreetmap.org/export/'

/** Beside those of the bot check. The portal frames previews of drafts. */
const ownHosts: Record<DocumentKind, { frames: readonly string[]; calls: readonly string[] }> = {
  site: { frames: [MAP], calls: [MAP] },
  'sign-in': { frames: [], calls: [] },
  portal: { frames: ["'self'"], calls: [] },
}

/** The hosts of reCAPTCHA's script, requests and frames. */
const recaptcha = {
  scripts: ['https://www.google.com/recaptcha/', 'https://www.gstatic.com/recaptcha/'],
  calls: ['https://www.google.com/recaptcha/'],
  frames: ['https://www.google.com/recaptcha/', 'https://recaptcha.google.com/recaptcha/'],
}
const nothing = { scripts: [], calls: [], frames: [] }

function styleDirective(source: string | undefined): string {
  return source ? `style-src 'self' ${source}` : "style-src 'self'"
}

function contentSecurityPolicy(
  kind: DocumentKind,
  isHttps: boolean,
  hasBotCheck: boolean,
  styleSource: string | undefined,
): string {
  const { scripts, calls, frames } = hasBotCheck ? recaptcha : nothing
  const own = ownHosts[kind]
  const allFrames = [...frames, ...own.frames]
  // Google's script is not written for trusted types.
  const hasTrustedTypes = kind !== 'site' && !hasBotCheck
  return [
    "default-src 'none'",
    ["script-src 'self'", ...scripts].join(' '),
    styleDirective(styleSource),
    "img-src 'self' data:",
    "font-src 'self'",
    ["connect-src 'self'", ...calls, ...own.calls].join(' '),
    ...(allFrames.length > 0 ? [['frame-src', ...allFrames].join(' ')] : []),
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    ...(hasTrustedTypes ? ["require-trusted-types-for 'script'"] : []),
    ...(isHttps ? ['upgrade-insecure-requests'] : []),
  ].join('; ')
}
