import type { ReactNode } from 'react'
import { officeOf } from '../../../content/office/office.ts'
import { hasHours } from '../../../content/office/working-time.ts'
import { editable } from '../blocks/editable.ts'
import { clockOf } from '../home/trust-strip.tsx'
import { officeTime, type SiteSettings } from '../site-settings.ts'
import { doorSigns } from './office-times.ts'

export function ContactDetails({ site }: { site: SiteSettings }) {
  const { company, agent } = site.content
  const texts = site.texts.contactDetails
  return (
    <dl className="site-contact">
      {site.content.hours.length > 0 && <Now site={site} />}
      {site.content.hours.length > 0 && (
        <Row label={texts.hours}>
          <Hours site={site} />
          <small>
            {officeTime(site)}. {hasHours(officeOf(site.live.site)) && texts.anyHour}
          </small>
        </Row>
      )}
      {site.phone !== null && (
        <Row label={texts.phone}>
          <Phone site={site} />
        </Row>
      )}
      {company.email !== null && (
        <Row label={texts.email}>
          <Email site={site} />
        </Row>
      )}
      {company.chat && (
        <Row label={company.chat.network} {...editable(site, 'company.chat.handle')}>
          <span className="site-contact-handle">{company.chat.handle}</span>
        </Row>
      )}
      {company.whatsApp && (
        <Row label={texts.whatsApp}>
          <a
            href={`https://wa.me/${company.whatsApp.replace(/\D/g, '')}`}
            dir="ltr"
            {...editable(site, 'company.whatsApp')}
          >
            {company.whatsApp}
          </a>
        </Row>
      )}
      {agent.languages.length > 0 && (
        <Row label={texts.languages}>
          <span {...editable(site, 'agent.languages')}>{agent.languages.join(', ')}</span>
        </Row>
      )}
    </dl>
  )
}

/** The script of the page shows the time; see `office-clock.ts`. */
function Now({ site }: { site: SiteSettings }) {
  const { title, note, data } = clockOf(site, doorSigns(site))
  return (
    <div data-clock={data}>
      <dt>{site.texts.contactDetails.now}</dt>
      <dd>
        <strong>
          <bdi>{title}</bdi>
        </strong>
        <span>
          <bdi>{note}</bdi>
        </span>
      </dd>
    </div>
  )
}

interface RowProps {
  readonly label: string
  readonly children: ReactNode
  readonly 'data-edit'?: string
}

function Row({ label, children, ...attributes }: RowProps) {
  return (
    <div {...attributes}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

export function Hours({ site }: { site: SiteSettings }) {
  return (
    <span {...editable(site, 'officeHours')}>
      {site.content.hours.map(({ days, time }) => (
        <span key={days} className="site-hours">
          {site.texts.contactDetails.period(days, time)}
        </span>
      ))}
    </span>
  )
}

/** Whether the site has any way to reach the agency beside the form. */
export function hasContact({ phone, content: { company } }: SiteSettings): boolean {
  return phone !== null || company.email !== null || company.chat !== null || company.address.length > 0
}

/** Left to right in every language, or its groups of digits would change places. */
export function Phone({ site }: { site: SiteSettings }) {
  if (site.phone === null) return null
  return (
    <a href={telephoneUrl(site.phone)} dir="ltr" {...editable(site, 'company.phone')}>
      {site.phone}
    </a>
  )
}

export function Email({ site }: { site: SiteSettings }) {
  const { email } = site.content.company
  if (email === null) return null
  return (
    <a href={`mailto:${email}`} {...editable(site, 'company.email')}>
      {email}
    </a>
  )
}

/** In the colour of the agency, and below the real map. */
function Pin() {
  return (
    <svg className="site-map-pin" viewBox="0 0 44 66" aria-hidden="true">
      <ellipse cx="22" cy="62" rx="13" ry="4" />
      <path d="M22 61C13 46 1 36 1 21a21 21 0 0 1 42 0c0 15-12 25-21 40z" />
      <circle cx="22" cy="21" r="8" />
    </svg>
  )
}

/** A drawn map until the real one is requested (`enhanceMaps` in `site.entry.ts`). It loads nothing, and works where OpenStreetMap is blocked. */
export function OfficeMap({ site, heading }: { site: SiteSettings; heading: string }) {
  const { company } = site.content
  const texts = site.texts.map
  if (!company.location) return null
  const { latitude, longitude } = company.location
  const edges = [longitude - 0.01, latitude - 0.006, longitude + 0.01, latitude + 0.006].map(edge =>
    edge.toFixed(4),
  )
  const marker = `${latitude},${longitude}`
  const embed = `https://www.openstreetmap.org/export/embed.html?bbox=${edges.join(',')}&layer=mapnik&marker=${marker}`
  const link = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`
  return (
    <section className="site-map" {...editable(site, 'company.location')}>
      <div
        className="site-map-frame"
        data-map={embed}
        data-title={texts.title}
        data-loading={texts.loading}
        data-failed={texts.failed}
      >
        <Pin />
        <div className="line wrap site-map-offer">
          <button type="button" className="button" hidden>
            {texts.show}
          </button>
          <p className="if-any" role="status" />
        </div>
      </div>
      <div className="site-map-address">
        <h2>{heading}</h2>
        <p {...editable(site, 'company.address')}>{company.address.join(', ')}</p>
        <a href={link}>{texts.open}</a>
      </div>
    </section>
  )
}

/** A number of Australia without its country code is one to call from abroad, too. */
function telephoneUrl(phone: string): string {
  return `tel:${phone.replace(/[^+\d]/g, '').replace(/^0(?=\d{9}$)/, '+61')}`
}
