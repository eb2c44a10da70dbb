import type { Assets, EntryName } from './assets.ts'
import type { Config } from './config.ts'
import { renderDocument } from './document.tsx'
import { Footer } from './features/site/footer.tsx'
import type { SiteSettings } from './features/site/layout.tsx'
import type { PageServer } from './features/site/serve-pages.server.tsx'
import { encodeResponse, type Representation } from './http/representation.ts'
import type { ResponseMap } from './http/response-map.ts'
import { type DocumentKind, securityHeaders } from './http/security-headers.ts'
import { DEFAULT_LANGUAGE, textsFor } from './i18n/texts.ts'
import { forgotPasswordPath, setPasswordPath, signInPaths, verifyEmailPath } from './screens.ts'
import type { Services } from './services.ts'

/**
 * The documents before the portal. The policy of those with a bot check allows Google's hosts while it is on, so they are
 * rendered again when a setting changes. A document behind a link with a token allows no other host.
 */
export function signInShells(
  { config, botCheck }: Pick<Services, 'config' | 'botCheck'>,
  assets: Assets,
  pageServer: PageServer,
): ResponseMap {
  const withBotCheck = (entry: EntryName) =>
    pageServer.cached(`${entry} shell with a bot check`, async site =>
      renderShell(entry, 'sign-in', config, assets, { site, check: await botCheck.settings() }),
    )
  const behindLink = (entry: EntryName) =>
    pageServer.cached(`${entry} shell`, async site => renderShell(entry, 'sign-in', config, assets, { site }))
  const signIn = withBotCheck('sign-in')
  return new Map([
    ...signInPaths.map(path => [path, signIn] as const),
    [forgotPasswordPath, withBotCheck('password')],
    [verifyEmailPath, behindLink('verify-email')],
    [setPasswordPath, behindLink('password')],
  ])
}

interface ShellOptions {
  /** Adds the footer of the public pages, which shows even if the script does not run. */
  readonly site?: SiteSettings
  readonly check?: { readonly enabled: boolean; readonly siteKey?: string }
}

/** Renders a document that is empty until its script runs. It has no data, so the API decides who may see what. */
export async function renderShell(
  entry: EntryName,
  kind: Exclude<DocumentKind, 'site'>,
  { publicUrl }: Config,
  assets: Assets,
  { site, check = { enabled: false } }: ShellOptions = {},
): Promise<Representation> {
  const html = renderDocument({
    title: 'Landfall',
    texts: site?.texts ?? textsFor(DEFAULT_LANGUAGE),
    entry: assets.entry(entry),
    children: (
      <>
        <div id="root" data-site-key={check.siteKey} data-site-name={site?.siteName}>
          <p className="shell-loading" role="status">
            <span className="spinner" /> Loading …
          </p>
          <noscript>The staff portal needs JavaScript.</noscript>
        </div>
        {site && <Footer site={site} />}
      </>
    ),
  })
  const headers = {
    ...securityHeaders(kind, publicUrl, check.enabled),
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-cache',
  }
  return await encodeResponse(html, headers)
}
