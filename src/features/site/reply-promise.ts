import type { SiteSettings } from './site-settings.ts'

/** When an answer comes: as staff have promised, or in the office hours. */
export function replyPromise({ content, texts: { reply } }: Pick<SiteSettings, 'content' | 'texts'>): string {
  const { replyTarget, agent } = content
  return replyTarget ? reply.within(agent.name, replyTarget) : reply.inHours
}

/** Whose time the office hours are in, such as "Sydney time". */
export function officeTime({ content, texts }: Pick<SiteSettings, 'content' | 'texts'>): string {
  const city = content.company.timeZone.split('/').at(-1) ?? ''
  return texts.contactDetails.time(city.replaceAll('_', ' '))
}
