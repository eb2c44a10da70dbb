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
  /** In the language of the page. */
  readonly texts: Texts
  /** Whether staff look at a draft. */
  readonly isPreview?: boolean
}
