import { editable } from './editable.ts'
import type { SiteSettings } from './layout.tsx'

/** Address, phone, chat, email, hours. */
export function ContactDetails({ site }: { site: SiteSettings }) {
  const { phone, content } = site
  const { company, hours } = content
  const texts = site.texts.contactDetails
  return (
    <dl className="details">
      <dt>{texts.address}</dt>
      <dd {...editable(site, 'company.address')}>{company.address.join(', ')}</dd>
      <dt>{texts.phone}</dt>
      <dd {...editable(site, 'company.phone')}>
        <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>{phone}</a>
      </dd>
      <dt {...editable(site, 'company.chat.network')}>{company.chat.network}</dt>
      <dd {...editable(site, 'company.chat.handle')}>{company.chat.handle}</dd>
      <dt>{texts.email}</dt>
      <dd {...editable(site, 'company.email')}>
        <a href={`mailto:${company.email}`}>{company.email}</a>
      </dd>
      <dt>{texts.hours}</dt>
      <dd {...editable(site, 'officeHours')}>
        {hours.map(({ days, time }) => (
          <span key={days} className="site-hours">
            {days}: {time}
          </span>
        ))}
      </dd>
    </dl>
  )
}

/** A drawn map until the real one is requested. It loads nothing, and works where OpenStreetMap is blocked. */
export function OfficeMap({ site }: { site: SiteSettings }) {
  const { company } = site.content
  const texts = site.texts.map
  const { latitude, longitude } = company.location
  const edges = [longitude - 0.01, latitude - 0.006, longitude + 0.01, latitude + 0.006].map(edge =>
    edge.toFixed(4),
  )
  const marker = `${latitude},${longitude}`
  const embed = `https://www.openstreetmap.org/export/embed.html?bbox=${edges.join(',')}&layer=mapnik&marker=${marker}`
  const link = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`
  return (
    <figure className="site-map" {...editable(site, 'company.location')}>
      <div className="site-map-frame" data-map={embed} data-title={texts.title}>
        <button type="button" className="button site-map-button" hidden>
          {texts.show}
        </button>
      </div>
      <figcaption {...editable(site, 'company.address')}>
        {company.address.join(', ')}. <a href={link}>{texts.open}</a>
      </figcaption>
    </figure>
  )
}
