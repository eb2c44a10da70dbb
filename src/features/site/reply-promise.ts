import { officeOf } from '../../content/office.ts'
import { hasHours } from '../../content/working-time.ts'
import type { SiteSettings } from './site-settings.ts'

/** When an answer comes: as staff have promised, or in the office hours; null without either. Without a full stop. */
export function replyPromise({ live, content, texts: { reply } }: SiteSettings): string | null {
  const { replyTarget, agent } = content
  if (replyTarget) return reply.within(agent.name, replyTarget)
  return hasHours(officeOf(live.site)) ? reply.inHours : null
}

/** Whose time the office hours are in, such as "Sydney time". */
export function officeTime(site: SiteSettings): string {
  return site.texts.trust.zone(officeCity(site))
}

/** The city of the time zone, such as Sydney. */
export function officeCity({ content }: SiteSettings): string {
  const { timeZone } = content.company
  return timeZone.split('/').at(-1)?.replaceAll('_', ' ') ?? timeZone
}
