import type { Content } from '../../content/schema.ts'
import type { SiteSettings } from './layout.tsx'

/** Address, phone, chat, email, hours. */
export function ContactDetails({ site: { phone, content } }: { site: SiteSettings }) {
  const { company, hours } = content
  return (
    <dl className="details">
      <dt>Address</dt>
      <dd>{company.address.join(', ')}</dd>
      <dt>Phone</dt>
      <dd>
        <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>{phone}</a>
      </dd>
      <dt>{company.chat.network}</dt>
      <dd>{company.chat.handle}</dd>
      <dt>Email</dt>
      <dd>
        <a href={`mailto:${company.email}`}>{company.email}</a>
      </dd>
      <dt>Hours</dt>
      <dd>
        {hours.map(({ days, time }) => (
          <span key={days} className="hours">
            {days}: {time}
          </span>
        ))}
      </dd>
    </dl>
  )
}

/** A drawn map until the real one is requested. It loads nothing, and works where OpenStreetMap is blocked. */
export function OfficeMap({ company }: Pick<Content, 'company'>) {
  const { latitude, longitude } = company.location
  const edges = [longitude - 0.01, latitude - 0.006, longitude + 0.01, latitude + 0.006].map(edge =>
    edge.toFixed(4),
  )
  const marker = `${latitude},${longitude}`
  const embed = `https://www.openstreetmap.org/export/embed.html?bbox=${edges.join(',')}&layer=mapnik&marker=${marker}`
  const link = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`
  return (
    <figure className="map">
      <div className="map-frame" data-map={embed}>
        <button type="button" className="button map-button" hidden>
          Show the map
        </button>
      </div>
      <figcaption>
        {company.address.join(', ')}. <a href={link}>Open in OpenStreetMap</a>
      </figcaption>
    </figure>
  )
}
