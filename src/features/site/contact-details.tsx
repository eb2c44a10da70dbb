import type { Content } from '../../content/schema.ts'
import type { Texts } from '../../i18n/texts.ts'
import type { SiteSettings } from './layout.tsx'

/** Address, phone, chat, email, hours. */
export function ContactDetails({ site }: { site: SiteSettings }) {
  const { phone, content } = site
  const { company, hours } = content
  const texts = site.texts.contactDetails
  return (
    <dl className="details">
      <dt>{texts.address}</dt>
      <dd>{company.address.join(', ')}</dd>
      <dt>{texts.phone}</dt>
      <dd>
        <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>{phone}</a>
      </dd>
      <dt>{company.chat.network}</dt>
      <dd>{company.chat.handle}</dd>
      <dt>{texts.email}</dt>
      <dd>
        <a href={`mailto:${company.email}`}>{company.email}</a>
      </dd>
      <dt>{texts.hours}</dt>
      <dd>
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
export function OfficeMap({ company, texts }: Pick<Content, 'company'> & { texts: Texts['map'] }) {
  const { latitude, longitude } = company.location
  const edges = [longitude - 0.01, latitude - 0.006, longitude + 0.01, latitude + 0.006].map(edge =>
    edge.toFixed(4),
  )
  const marker = `${latitude},${longitude}`
  const embed = `https://www.openstreetmap.org/export/embed.html?bbox=${edges.join(',')}&layer=mapnik&marker=${marker}`
  const link = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`
  return (
    <figure className="site-map">
      <div className="site-map-frame" data-map={embed} data-title={texts.title}>
        <button type="button" className="button site-map-button" hidden>
          {texts.show}
        </button>
      </div>
      <figcaption>
        {company.address.join(', ')}. <a href={link}>{texts.open}</a>
      </figcaption>
    </figure>
  )
}
