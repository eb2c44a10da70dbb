import { officeOf } from '../../content/office/office.ts'
import { hasHours } from '../../content/office/working-time.ts'
import type { ShownContent } from '../../content/site-content.ts'
import type { ContentRevision } from '../../content/store.server.ts'
import type { Texts } from '../../i18n/texts.ts'

/** What public pages show: the settings that concern them, and the content. Both are of one time. */
export interface SiteSettings {
  readonly siteName: string
  /** Null while nobody has confirmed it. */
  readonly phone: string | null
  /** The bot check's site key, for a form that cannot fetch it. */
  readonly siteKey: string
  readonly content: ShownContent
  /** The other documents, the facts and the menus. */
  readonly live: Omit<ContentRevision, 'revision' | 'content'>
  /** The date at the office, such as 2026-07-01. */
  readonly today: string
  readonly texts: Texts
  /** Whether staff look at a draft. */
  readonly isPreview?: boolean
}

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

export function officeCity({ content }: SiteSettings): string {
  const { timeZone } = content.company
  return timeZone.split('/').at(-1)?.replaceAll('_', ' ') ?? timeZone
}
