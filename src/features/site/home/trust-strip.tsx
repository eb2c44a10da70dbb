import type { ReactNode } from 'react'
import { editable } from '../blocks/editable.ts'
import { officeCity, officeTime, replyPromise, type SiteSettings } from '../site-settings.ts'

/** Who answers, in which languages, when, and what time it is there. Each holds without a script. */
export function TrustStrip({ site }: { site: SiteSettings }) {
  const { agent, hours } = site.content
  const texts = site.texts.trust
  const { name, registrationNumber } = agent
  const isRegistered = name !== null && registrationNumber !== null
  if (!isRegistered && agent.languages.length === 0 && hours.length === 0) return null
  return (
    <section className="site-section-ocean site-trust" aria-label={texts.label}>
      <ul>
        {isRegistered && (
          <Item
            icon="M3 4h14v12H3zM6 8h4M6 12h8M13 8h1"
            title={texts.registered}
            {...editable(site, 'agent.registrationNumber')}
          >
            {texts.agent(name, registrationNumber)}
          </Item>
        )}
        {agent.languages.length > 0 && (
          <Item
            icon="M3 4h14v9H9l-4 4v-4H3z"
            title={texts.languages(agent.languages.length)}
            {...editable(site, 'agent.languages')}
          >
            {site.texts.list(agent.languages)}
          </Item>
        )}
        {hours[0] && (
          <Item
            icon="M10 6v4l3 2"
            isRound
            title={replyPromise(site) ?? site.texts.contactDetails.hours}
            {...editable(site, 'officeHours')}
          >
            {texts.opens(hours[0].days, hours[0].time)}
          </Item>
        )}
        {hours.length > 0 && <Clock site={site} />}
      </ul>
    </section>
  )
}

interface ItemProps {
  /** A path in a square of 20 units. */
  readonly icon: string
  readonly isRound?: boolean
  readonly title: ReactNode
  readonly children: ReactNode
  readonly 'data-edit'?: string
  readonly 'data-clock'?: string
}

function Item({ icon, isRound = false, title, children, ...attributes }: ItemProps) {
  return (
    <li {...attributes}>
      <svg viewBox="0 0 20 20" aria-hidden="true">
        {isRound && <circle cx="10" cy="10" r="8" />}
        <path d={icon} />
      </svg>
      <strong>{title}</strong>
      <span>{children}</span>
    </li>
  )
}

/** The script of the page shows the time and the visitor's difference to it; see `office-clock.ts`. */
function Clock({ site }: { site: SiteSettings }) {
  const { title, note, data } = clockOf(site)
  return (
    <Item
      icon="M2 10h16M10 2c-5 5-5 11 0 16 5-5 5-11 0-16"
      isRound
      title={<bdi>{title}</bdi>}
      data-clock={data}
    >
      <bdi>{note}</bdi>
    </Item>
  )
}

/** What holds without a script, and what the script needs. @param signs whether the office is open, which takes the place of the time */
export function clockOf(site: SiteSettings, signs?: readonly (readonly [number, string])[]) {
  const { content, texts, today } = site
  const { timeZone } = content.company
  const { now, offset, ahead, behind, same } = texts.trust
  return {
    title: officeTime(site),
    note: offset(offsetOn(today, timeZone)),
    data: JSON.stringify({
      lang: texts.lang,
      timeZone,
      now: now(officeCity(site)),
      ahead,
      behind,
      same,
      signs,
    }),
  }
}

/** Such as +11 or +9:30, at noon in Sydney. @param date in ISO 8601 */
function offsetOn(date: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'shortOffset' })
  const name = format.formatToParts(new Date(`${date}T02:00Z`)).find(({ type }) => type === 'timeZoneName')
  return name?.value.replace('GMT', '') ?? ''
}
