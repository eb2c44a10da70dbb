import { createHash } from 'node:crypto'
import { emailColours, own } from '../../../content/brand/tokens.ts'
import { PICTURE_ID } from '../../../content/picture-use.ts'
import { findConsumerGuide } from '../../../content/site-content.ts'
import { previewHeaders } from '../../../http/security-headers.ts'
import { DEFAULT_LANGUAGE } from '../../../i18n/texts.ts'
import { LOGO_CID, renderEmail } from '../../../mail/email.ts'
import { logoUrl } from '../../../pictures/sizes.ts'
import { days } from '../../../platform/clock.ts'
import type { Services } from '../../../services.ts'
import { Header } from '../../../ui/header/header.tsx'
import { editable } from '../../site/blocks/editable.ts'
import type { SiteSettings } from '../../site/site-settings.ts'

/** Where else than on the pages visitors and staff see a brand: the preview of the site shows these at addresses of their own. */

/** The sign-in as it looks. Nothing of it works, as nothing does in a preview. */
export const signInPreview = {
  title: () => 'Sign-in',
  language: DEFAULT_LANGUAGE,
  entry: 'sign-in',
  render: (site: SiteSettings) => (
    <div {...editable(site, 'brand')}>
      <Header siteName={site.siteName} current="/auth" viewer={null} />
      <main className="sign-in">
        <div className="panel sign-in-panel">
          <h1>Login</h1>
          <p>For the staff of this agency.</p>
          {['Email', 'Password'].map(label => (
            <div key={label} className="field">
              <label htmlFor={label}>{label}</label>
              <input id={label} className="control" readOnly />
            </div>
          ))}
          <button type="button" className="button button-primary button-large">
            Login
          </button>
        </div>
      </main>
    </div>
  ),
} as const

/** What a visitor gets after an enquiry, as the brand of the draft makes it. */
export function respondEmailPreview(
  { config, clock, emailSignature }: Services,
  site: SiteSettings,
): Response {
  const { brand, agent, links } = site.content
  const live = emailSignature(site.siteName)
  const logo = PICTURE_ID.test(brand?.logo?.picture ?? '') ? brand?.logo : undefined
  const signature = {
    ...live,
    ...{ agent: agent.name, registrationNumber: agent.registrationNumber, colours: emailColours(brand) },
    logo: logo ? { id: logo.picture, ground: logo.isLight ? own.ocean : own.white } : null,
  }
  const { labels, acknowledgement } = signature.texts.emails
  const tomorrow = new Date(clock().getTime() + days(1))
  const { html } = renderEmail(
    {
      to: '',
      subject: acknowledgement.subject(REFERENCE),
      opening: acknowledgement.opening(site.siteName),
      facts: [
        [labels.reference, REFERENCE],
        [acknowledgement.answerBy, site.texts.date(tomorrow.toISOString().slice(0, 10))],
      ],
      link: { label: acknowledgement.link, url: findConsumerGuide(links) },
      closing: acknowledgement.closing,
    },
    signature,
  )
  const shown = html
    .replace(`cid:${LOGO_CID}`, logo ? logoUrl(logo.picture, 64) : '')
    .replace('<body', '<body data-edit="brand"')
  const headers = {
    ...previewHeaders(config.publicUrl, `'unsafe-hashes' ${styleHashes(shown)}`),
    'Content-Type': 'text/html; charset=utf-8',
  }
  return new Response(shown, { headers })
}

const REFERENCE = 'LF-2K9D-M4QT'

/** Emails have their styles in attributes. Each is allowed by its hash, and no other is. */
function styleHashes(html: string): string {
  const styles = [...html.matchAll(/ style="([^"]*)"|<style>([^<]*)<\/style>/g)].map(
    ([, attribute, element]) => attribute ?? element ?? '',
  )
  const hashes = styles.map(style => `'sha256-${createHash('sha256').update(style).digest('base64')}'`)
  return [...new Set(hashes)].join(' ')
}
