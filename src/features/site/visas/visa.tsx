import { describeValue, type Fact } from '../../../content/facts.ts'
import type { VisaBody } from '../../../content/page-bodies.ts'
import { askAbout } from '../../../content/reserved-paths.ts'
import { type LiveVisa, listVisas } from '../../../content/visas.ts'
import { keepTogether, sentence } from '../../../i18n/no-break.ts'
import type { MenuLink } from '../../../ui/header/header.tsx'
import { Adviser, registeredAdviserOf } from '../blocks/adviser.tsx'
import { Blocks, listInlines, listParts } from '../blocks/blocks.tsx'
import { editable } from '../blocks/editable.ts'
import { Ended, isPast, SourceLine, SourceLink } from '../blocks/figures.tsx'
import { AskBand, AskCard, LinkList, PageHead } from '../blocks/page-head.tsx'
import { landscapeAt } from '../blocks/picture.tsx'
import type { SiteSettings } from '../site-settings.ts'
import { ClosedNotice } from './visa-categories.tsx'
import { Numbers } from './visas.page.tsx'

interface VisaProps {
  readonly body: VisaBody
  readonly crumbs: readonly MenuLink[]
  readonly site: SiteSettings
}

export function VisaPage({ body, crumbs, site }: VisaProps) {
  const { texts } = site
  const ask = askAbout(body.path)
  const adviser = registeredAdviserOf(body, site)
  return (
    <>
      <PageHead
        crumbs={crumbs}
        title={body.title}
        lead={body.description}
        isDocument
        site={site}
        picture={<Soundings body={body} site={site} />}
      >
        <Status body={body} site={site} />
        <Adviser person={adviser} label={texts.team.adviser} site={site} />
      </PageHead>
      <Contents body={body} site={site} />
      <div className="site-section site-parts site-visa-page">
        <Glance body={body} ask={ask} site={site} />
        <Blocks blocks={body.blocks} site={site} />
        <RelatedVisas body={body} site={site} />
      </div>
      <AskBand href={ask} heading={texts.visas.ask} site={site} />
    </>
  )
}

/** The subclass numbers, large, before a landscape. */
function Soundings({ body, site }: Pick<VisaProps, 'body' | 'site'>) {
  return (
    <div className="site-head-picture site-soundings" {...editable(site, 'subclasses')}>
      <img className="site-cover" src={landscapeAt(body.path)} alt="" fetchPriority="low" />
      <Numbers visa={body} texts={site.texts} />
    </div>
  )
}

/** As at the oldest date of the figures that are shown below, since nobody knows more than these say. */
function Status({ body: { programme, figures }, site }: Pick<VisaProps, 'body' | 'site'>) {
  const { visaPage } = site.texts
  if (programme.status === 'closed')
    return (
      <div {...editable(site, 'programme')}>
        <ClosedNotice programme={programme} texts={site.texts} />
      </div>
    )
  const dates = figures.flatMap(({ fact }) => site.live.facts.get(fact)?.asAt ?? [])
  const asAt = dates.toSorted()[0]
  return (
    <p className="site-open" {...editable(site, 'programme')}>
      <strong>{visaPage.open}</strong> {asAt && visaPage.asAt(site.texts.date(asAt))}
    </p>
  )
}

function Contents({ body: { blocks }, site }: Pick<VisaProps, 'body' | 'site'>) {
  const { documents, visaPage } = site.texts
  const parts = [{ id: GLANCE, label: visaPage.glance }, ...listParts(blocks)]
  const links = parts.map(({ id, label }) => ({ href: `#${id}`, label }))
  return (
    <nav className="links site-contents" aria-labelledby="contents">
      <strong id="contents">{documents.contents}</strong>
      <LinkList links={links} />
    </nav>
  )
}

const GLANCE = 'at-a-glance'

function Glance({ body, ask, site }: Pick<VisaProps, 'body' | 'site'> & { ask: string }) {
  const { texts } = site
  const who = { adviser: registeredAdviserOf(body, site), site }
  return (
    <section className="site-glance" id={GLANCE}>
      <div>
        <h2>{texts.visaPage.glance}</h2>
        <FactTable figures={body.figures} site={site} />
        {body.subclasses.length > 1 && <Subclasses body={body} site={site} />}
        <Known body={body} site={site} />
        <p className="site-table-source site-as-at" {...editable(site, 'more')}>
          {sentence(texts.visas.more(<SourceLink source={body.more} />))}
        </p>
      </div>
      {body.programme.status === 'open' ? (
        <AskCard href={ask} heading={texts.visaPage.reach} action={texts.visas.ask} {...who} />
      ) : (
        <AskCard href={ask} heading={texts.documents.question} action={texts.documents.ask} {...who} />
      )}
    </section>
  )
}

function Subclasses({ body, site }: Pick<VisaProps, 'body' | 'site'>) {
  return (
    <dl className="site-table">
      {body.subclasses.map(({ id, name, numbers }, at) => (
        <div key={id} {...editable(site, `subclasses.${at}`)}>
          <dt className="quiet">{name}</dt>
          <dd>
            <strong>{numbers.join(', ')}</strong>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Known({ body, site }: Pick<VisaProps, 'body' | 'site'>) {
  if (body.facts.length === 0) return null
  return (
    <>
      <h3 className="site-known-title">{site.texts.visaPage.know}</h3>
      <ul className="site-known">
        {body.facts.map(({ id, text }, at) => (
          <li key={id} {...editable(site, `facts.${at}.text`)}>
            {text}
          </li>
        ))}
      </ul>
    </>
  )
}

/** One row. */
const SHOWN = 3

/** Other open visas: those that the text leads to, then those of the same service. */
function RelatedVisas({ body, site }: { body: VisaBody; site: SiteSettings }) {
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
            <p className="quiet">{visa.description}</p>
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

interface Row {
  readonly id: string
  readonly label: string
  /** Of the body. */
  readonly field: string
  /** A draft may name one that does not exist. */
  readonly fact: Fact | undefined
}

/** Figures of the law. Those that follow one another with the same date and source name them once, below the last. */
function FactTable({ figures, site }: { figures: VisaBody['figures']; site: SiteSettings }) {
  const rows = figures.map(({ id, label, fact }, at) => ({
    ...{ id, label, field: `figures.${at}` },
    fact: site.live.facts.get(fact),
  }))
  return groupBySource(rows).map(group => (
    <div key={group[0].id}>
      <dl className="site-table">
        {group.map(({ id, label, field, fact }) => (
          <div key={id} {...editable(site, field)}>
            <dt className="quiet">{label}</dt>
            <dd>{fact && <Value fact={fact} site={site} />}</dd>
          </div>
        ))}
      </dl>
      <Source group={group} site={site} />
    </div>
  ))
}

type Group = [Row, ...Row[]]

function groupBySource(rows: readonly Row[]): readonly Group[] {
  const groups: Group[] = []
  for (const row of rows) {
    const last = groups.at(-1)
    if (last && haveOneSource(last[0].fact, row.fact)) last.push(row)
    else groups.push([row])
  }
  return groups
}

function haveOneSource(one: Fact | undefined, other: Fact | undefined): boolean {
  const describe = (fact: Fact | undefined) => fact && [fact.asAt, fact.source.label, fact.source.url].join()
  return describe(one) === describe(other)
}

function Value({ fact, site: { today, texts } }: { fact: Fact; site: SiteSettings }) {
  if (isPast(fact, today)) return <Ended source={fact.source} texts={texts} />
  return <strong>{keepTogether(describeValue(fact))}</strong>
}

/** None where every figure has come to its end: each then says where to look. */
function Source({ group, site: { today, texts } }: { group: Group; site: SiteSettings }) {
  const current = group.find(({ fact }) => fact && !isPast(fact, today))?.fact
  if (!current) return null
  return (
    <p className="site-table-source">
      <SourceLine date={current.asAt} source={current.source} texts={texts} />
    </p>
  )
}
