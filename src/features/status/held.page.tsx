import type { ReactNode } from 'react'
import type { Certificate } from '../privacy/contract.ts'
import { officeMoment } from '../site/contact/office-times.ts'
import { Layout } from '../site/layout.tsx'
import { officeTime, type SiteSettings } from '../site/site-settings.ts'
import { type Held, STATUS_PATH } from './contract.ts'
import { Conversation } from './parts.tsx'

function Facts({ facts }: { readonly facts: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <dl className="facts">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Everything that is kept of an enquiry, to read and to print. */
export function HeldPage({ site, held }: { readonly site: SiteSettings; readonly held: Held }) {
  const { held: texts } = site.texts.status
  const moment = (iso: string) => `${officeMoment(site, new Date(iso))}, ${officeTime(site)}`
  const data = `data:application/json;charset=utf-8,${encodeURIComponent(JSON.stringify(held, null, 2))}`
  return (
    <Layout site={site} current={STATUS_PATH}>
      <section className="site-section status-body">
        <h1>{texts.heading}</h1>
        <p className="lead">{texts.lead}</p>
        <Facts
          facts={[
            [site.texts.track.reference, held.reference],
            [texts.received, moment(held.receivedAt)],
            [texts.name, <bdi key="name">{held.name}</bdi>],
            [texts.email, held.email],
            [texts.phone, held.phone ?? texts.none],
            [texts.service, held.service ?? texts.none],
            ...Object.entries(held.details).map(
              ([label, value]) => [label, <bdi key={label}>{value}</bdi>] as const,
            ),
          ]}
        />
        <h2>{site.texts.status.said}</h2>
        <Conversation site={site} said={held.said} of={held.reference} />
        <h2>{texts.emails}</h2>
        <List
          items={held.emails.map(({ kind, createdAt }) => `${moment(createdAt)}: ${texts.emailKinds[kind]}`)}
          none={texts.none}
        />
        <p className="screen-only">
          <a href={data} download={`${held.reference}.json`}>
            {texts.data}
          </a>{' '}
          <a href={STATUS_PATH}>{texts.back}</a>
        </p>
      </section>
    </Layout>
  )
}

function List({ items, none }: { readonly items: readonly string[]; readonly none: string }) {
  if (items.length === 0) return <p>{none}</p>
  return (
    <ul>
      {items.map(item => (
        <li key={item}>
          <bdi>{item}</bdi>
        </li>
      ))}
    </ul>
  )
}

/** The certificate of an erasure. */
export function ErasedPage({
  site,
  certificate,
}: {
  readonly site: SiteSettings
  readonly certificate: Certificate
}) {
  const { erased: texts } = site.texts.status
  const { reference, when, enquiries, emails, files, mentions, kept, isEmailed } = certificate
  return (
    <Layout site={site} current={STATUS_PATH}>
      <section className="site-section status-body">
        <h1>{texts.heading}</h1>
        <p className="lead">
          {texts.lead} {isEmailed && texts.isEmailed}
        </p>
        <Facts
          facts={[
            [texts.reference, reference],
            [texts.when, officeMoment(site, new Date(when))],
            [texts.enquiries, enquiries],
            [texts.emails, emails],
            [texts.files, files],
            [texts.mentions, mentions],
          ]}
        />
        <h2>{texts.kept}</h2>
        <List items={kept} none={texts.kept} />
      </section>
    </Layout>
  )
}
