import type { SiteSettings } from './site-settings.ts'

/** When an answer comes: as staff have promised, or in the office hours. Without a full stop. */
export function replyPromise({ content, texts: { reply } }: SiteSettings): string {
  const { replyTarget, agent } = content
  return replyTarget ? reply.within(agent.name, replyTarget) : reply.inHours
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
