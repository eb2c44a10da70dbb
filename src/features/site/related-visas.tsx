import type { VisaBody } from '../../content/page-bodies.ts'
import { type LiveVisa, listVisas } from '../../content/visas.ts'
import { listInlines } from './inlines.ts'
import type { SiteSettings } from './site-settings.ts'
import { Numbers } from './visa-numbers.tsx'

/** One row. */
const SHOWN = 3

/** Other open visas: those that the text leads to, then those of the same service. */
export function RelatedVisas({ body, site }: { body: VisaBody; site: SiteSettings }) {
  const visas = findRelated(body, site).slice(0, SHOWN)
  if (visas.length === 0) return null
  return (
    <section className="site-related">
      <h2>{site.texts.visaPage.related}</h2>
      <ul className="site-teasers">
        {visas.map(({ path, body: visa }) => (
          <li key={path} className="site-teaser">
            <Numbers visa={visa} texts={site.texts} />
            <h3 className="site-teaser-title">
              <a href={path}>{visa.title}</a>
            </h3>
            <p>{visa.description}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function findRelated(body: VisaBody, { live }: SiteSettings): readonly LiveVisa[] {
  const others = listVisas(live).flatMap(({ page, programme }) =>
    page && page.path !== body.path && programme.status === 'open' ? [page] : [],
  )
  const leadsTo = (path: string) => listLinks(body).indexOf(path)
  const linked = others
    .filter(({ path }) => leadsTo(path) >= 0)
    .sort((one, other) => leadsTo(one.path) - leadsTo(other.path))
  const similar = others.filter(({ body: { service } }) => service === body.service)
  return [...new Set([...linked, ...similar])]
}

function listLinks({ blocks }: VisaBody): readonly string[] {
  return listInlines(blocks)
    .flatMap(({ marks = [] }) => marks)
    .flatMap(mark => (mark.type === 'link' ? [mark.attrs.href] : []))
}
