import type { ReactNode } from 'react'
import { editable } from '../../site/blocks/editable.ts'
import { Ended, isPast } from '../../site/blocks/figures.tsx'
import { Email, Hours, hasContact, Phone } from '../../site/contact/contact-details.tsx'
import { describeAim } from '../../site/contact/office-times.ts'
import { officeTime, replyPromise, type SiteSettings } from '../../site/site-settings.ts'

/** What it costs to ask, who answers and by when, and how to ask without the form. */
export function AskPoints({ site }: { site: SiteSettings }) {
  const { agent, company, collectionNotice } = site.content
  const { points } = site.texts.enquiryForm
  return (
    <ul className="enquiry-form-points">
      <Point icon={icons.tag} title={points.cost}>
        {points.free}
      </Point>
      {agent.name !== null && (
        <Point icon={icons.card} title={points.reader(agent.name)} {...editable(site, 'agent.name')}>
          {agent.registrationNumber !== null && points.registration(agent.registrationNumber)}
        </Point>
      )}
      <AnswerPoint site={site} />
      <Point icon={icons.lock} title={points.privacy}>
        <a href={`#${PRIVACY_NOTICE}`} {...editable(site, 'collectionNotice.title')}>
          {collectionNotice.title}
        </a>
      </Point>
      {hasContact(site) && (
        <Point icon={icons.phone} title={points.direct}>
          <Phone site={site} /> <Email site={site} />
          {company.chat && (
            <span {...editable(site, 'company.chat.handle')}>
              {company.chat.network}: {company.chat.handle}
            </span>
          )}
          <span {...editable(site, 'company.address')}>{company.address.join(', ')}</span>
        </Point>
      )}
    </ul>
  )
}

/** When an answer comes, or only when the office is open; nothing for an agency that says neither. */
function AnswerPoint({ site }: { site: SiteSettings }) {
  const promise = replyPromise(site)
  if (promise === null && site.content.hours.length === 0) return null
  return (
    <Point icon={icons.clock} title={promise ?? site.texts.contactDetails.hours}>
      <Hours site={site} />
      {describeAim(site) ?? officeTime(site)}
    </Point>
  )
}

interface PointProps {
  readonly icon: string
  readonly title: string
  readonly children: ReactNode
  readonly 'data-edit'?: string
}

function Point({ icon, title, children, ...attributes }: PointProps) {
  return (
    <li {...attributes}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={icon} />
      </svg>
      <strong>{title}</strong>
      <div>{children}</div>
    </li>
  )
}

/** Outlines on a grid of 24. */
const icons = {
  tag: 'M3 4v8l9 9 8-8-9-9H3M8 8v.01',
  card: 'M3 5h18v14H3zM7 15h5M15 10h3M15 14h3M8 9h3v3H8z',
  clock: 'M12 3a9 9 0 1 0 .01 0M12 7v5l4 2',
  lock: 'M5 11h14v9H5zM8 11V8a4 4 0 0 1 8 0v3',
  phone: 'M4 5h16v11H11l-5 4v-4H4z',
}

type Figure = SiteSettings['content']['collectionNotice']['figures'][number]

/** The id by which other parts of the page lead to the notice, which opens. */
const PRIVACY_NOTICE = 'privacy-notice'

export function CollectionNotice({ site }: { site: SiteSettings }) {
  const { title, points, figures } = site.content.collectionNotice
  const edit = (field: string) => editable(site, `collectionNotice.${field}`)
  return (
    <details className="enquiry-form-collection-notice" open={site.isPreview}>
      <summary {...edit('title')}>{title}</summary>
      <dl id={PRIVACY_NOTICE}>
        {points.map(({ question, answer }, at) => (
          <div key={question}>
            <dt {...edit(`points.${at}.question`)}>{question}</dt>
            <dd {...edit(`points.${at}.answer`)}>{answer}</dd>
          </div>
        ))}
        {figures.map((figure, at) => (
          <div key={figure.label}>
            <dt {...edit(`figures.${at}.label`)}>{figure.label}</dt>
            <dd {...edit(`figures.${at}.fact`)}>
              <FigureOfNotice figure={figure} site={site} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

function FigureOfNotice({ figure, site: { texts, today } }: { figure: Figure; site: SiteSettings }) {
  const { value, asAt, source } = figure
  if (isPast(figure, today)) return <Ended source={source} texts={texts} />
  return (
    <>
      {texts.enquiryForm.figure(value, texts.date(asAt))}{' '}
      <a href={source.url} rel="external">
        {source.label}
      </a>
    </>
  )
}
