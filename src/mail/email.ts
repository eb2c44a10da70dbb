import type { Texts } from '../i18n/texts.ts'
import { placeOf } from '../office-time.ts'

/** An email as the outbox stores it and a transport delivers it. Addresses are bare and already validated. */
export interface Email {
  readonly to: string
  readonly fromName: string
  /** Recipients of a copy. Every recipient sees them. */
  readonly cc?: readonly string[]
  /** Who still lacks it, after an attempt that reached the others. Without it: everybody. */
  readonly lacking?: readonly string[]
  readonly replyTo?: { readonly name: string; readonly address: string }
  readonly subject: string
  readonly text: string
  /** What it answers, below its text when it is sent. Stored apart, so that it goes when that is deleted before. */
  readonly quoted?: { readonly of: string; readonly text: string }
  /** Without it, the email is plain text. */
  readonly html?: string
  /** The id of the logo in its HTML, which is read and attached when it is sent. */
  readonly logo?: string
  /** The ids of its files, which are read and attached when it is sent. */
  readonly attachments?: readonly string[]
  /** With its angle brackets. Without it, the email gets one that is made from its id. */
  readonly messageId?: string
  /** The Message-IDs of the conversation that it belongs to, the oldest first; it answers the last one. */
  readonly references?: readonly string[]
  /** Nobody wrote it: no machine may answer it, and no report that it cannot be delivered comes back. */
  readonly isAutomatic?: boolean
  /** Nobody wrote it, but somebody should hear when it cannot be delivered: no machine may answer it. */
  readonly isNotice?: boolean
  /** It is for a person who cannot look into the local mailbox, so a provider has to send it. */
  readonly needsProvider?: boolean
  /** Its text has `STATUS_TOKEN`, in whose place it gets a link token of this message when it is sent. */
  readonly statusLinkOf?: string
  /** Only in a sign-in email, which is sent directly and never stored in the outbox. */
  readonly code?: string
}

/** Stands where a token will be: so no token is stored, and each email has one of its own. */
export const STATUS_TOKEN = '{status-token}'

/** Who gets an email: of those whom it names, nobody who has it already. */
export function recipientsOf(email: Pick<Email, 'to' | 'cc' | 'lacking'>): readonly string[] {
  return email.lacking ?? [email.to, ...(email.cc ?? [])]
}

/** Asks other machines not to answer what nobody wrote: RFC 3834, and Exchange. */
export function automaticHeaders({ isAutomatic, isNotice }: Pick<Email, 'isAutomatic' | 'isNotice'>) {
  if (!isAutomatic && !isNotice) return {}
  return {
    'Auto-Submitted': isAutomatic ? 'auto-replied' : 'auto-generated',
    'X-Auto-Response-Suppress': isAutomatic ? 'All' : 'OOF, AutoReply',
  }
}

/** The content of an email, before it is rendered as text and as HTML. */
export interface EmailContent {
  readonly to: string
  readonly replyTo?: { readonly name: string; readonly address: string }
  readonly subject: string
  readonly opening: string
  /** Label and value; a value may have several lines. */
  readonly facts?: readonly (readonly [label: string, value: string])[]
  /** A code to type, shown large on a line of its own. */
  readonly code?: string
  readonly link?: { readonly label: string; readonly url: string }
  /** The second one, below. */
  readonly further?: { readonly label: string; readonly url: string }
  /** Before what it lists, where following it is what the email is for. */
  readonly isLinkFirst?: true
  readonly closing?: string
}

/** The signature of every email, the agency's name and its registered agent, and the texts in its language. */
export interface EmailSignature {
  readonly texts: Texts
  readonly siteName: string
  /** Null while nobody has confirmed it. */
  readonly agent: string | null
  readonly registrationNumber: string | null
  /** Of the agency; those of the product without any. */
  readonly colours?: EmailColours | null
  /** The id of its picture, and the ground on which it can be seen. */
  readonly logo?: { readonly id: string; readonly ground: string } | null
}

/** Of the attached logo. Nothing is fetched: that would show who reads an email, and when. */
export const LOGO_CID = 'logo@brand'

/** An email as it is sent when its logo is no longer there. */
export function withoutLogo(html: string): string {
  return html.replace(/<img src="cid:logo@brand"[^>]*>/, '')
}

/** As `#rrggbb`. Each can be read where it stands. */
export interface EmailColours {
  /** The edge above an email, on white. */
  readonly edge: string
  /** A link on white. */
  readonly link: string
  /** Both, in a mail program with dark colours. */
  readonly dark: string
}

/**
 * Renders an email as plain text and as HTML. A visitor's text is escaped and never becomes a link. There are no remote
 * images.
 */
export function renderEmail(content: EmailContent, signature: EmailSignature) {
  return {
    to: content.to,
    fromName: signature.siteName,
    ...(content.replyTo && { replyTo: content.replyTo }),
    subject: oneLine(content.subject),
    text: asText(content, signature),
    html: asHtml(content, signature),
    ...(signature.logo && { logo: signature.logo.id }),
    ...(content.code && { code: content.code }),
  } satisfies Email
}

function asText(
  { opening, facts = [], code, link, further, isLinkFirst, closing }: EmailContent,
  signature: EmailSignature,
): string {
  const blocks = [
    opening,
    isLinkFirst && link ? `${link.label}: ${link.url}` : '',
    facts
      .map(([label, value]) => (value.includes('\n') ? `${label}:\n${value}` : `${label}: ${value}`))
      .join('\n'),
    code ?? '',
    !isLinkFirst && link ? `${link.label}: ${link.url}` : '',
    further ? `${further.label}: ${further.url}` : '',
    closing ?? '',
    `-- \n${signatureLines(signature).join('\n')}`,
  ]
  return `${blocks.filter(Boolean).join('\n\n')}\n`
}

function asHtml(
  { opening, facts = [], code, link, further, isLinkFirst, closing }: EmailContent,
  signature: EmailSignature,
): string {
  const { lang, direction } = signature.texts
  const { colours, logo } = signature
  const image = logo
    ? `<img src="cid:${LOGO_CID}" width="32" height="32" alt="" style="padding:3px;border-radius:6px;margin-right:10px;vertical-align:middle;background:${logo.ground}">`
    : ''
  // Classes are for dark colours, which only the style of an agency has.
  const classed = (name: string) => (colours ? ` class="${name}"` : '')
  const rows = facts.map(
    ([label, value]) =>
      `<tr><th align="left" valign="top"${classed('quiet')} style="padding:4px 16px 4px 0;font-weight:600;color:#4A6270">${escapeHtml(label)}</th>` +
      `<td style="padding:4px 0;white-space:pre-wrap">${escapeHtml(value)}</td></tr>`,
  )
  const show = (shown: EmailContent['link']) =>
    shown
      ? `<p><a href="${escapeHtml(shown.url)}"${classed('link')} style="color:${colours?.link ?? '#1F6F5C'}">${escapeHtml(shown.label)}</a></p>`
      : ''
  return [
    `<!doctype html><html lang="${lang}"${direction === 'rtl' ? ' dir="rtl"' : ''}>${colours ? darkHead(colours) : ''}<body${classed('ground')} style="margin:0;padding:24px;background:#F7F3EC;color:#0F2E3D;font:16px/1.5 system-ui,sans-serif">`,
    `<div${classed('sheet')} style="max-width:600px;margin:0 auto;padding:32px;background:#fff;border-top:4px solid ${colours?.edge ?? '#1F6F5C'}">`,
    colours || logo
      ? `<p style="font-weight:600;font-size:20px">${image}${escapeHtml(signature.siteName)}</p>`
      : '',
    `<p>${escapeHtml(opening)}</p>`,
    isLinkFirst ? show(link) : '',
    rows.length > 0
      ? `<table role="presentation" style="border-collapse:collapse">${rows.join('')}</table>`
      : '',
    code ? `<p style="font-size:32px;letter-spacing:6px;font-weight:700">${escapeHtml(code)}</p>` : '',
    isLinkFirst ? '' : show(link),
    show(further),
    closing ? `<p>${escapeHtml(closing)}</p>` : '',
    `<p${classed('quiet')} style="margin-top:32px;color:#4A6270;font-size:14px">${signatureLines(signature).map(escapeHtml).join('<br>')}</p>`,
    '</div></body></html>',
  ].join('')
}

/**
 * A mail program that finds no dark colours makes up its own, in which an agency's colour may be lost. The grounds
 * are those of the portal.
 */
function darkHead({ dark }: EmailColours): string {
  const rules = [
    '.ground{background:#0d1f29!important;color:#e9f0f2!important}',
    `.sheet{background:#14303d!important;border-color:${dark}!important}`,
    `.link{color:${dark}!important}`,
    '.quiet{color:#a9bcc5!important}',
  ].join('')
  return `<head><meta name="color-scheme" content="light dark"><style>@media (prefers-color-scheme:dark){${rules}}</style></head>`
}

/** The agency and its registered agent. */
export function signatureLines({ texts, siteName, agent, registrationNumber }: EmailSignature): string[] {
  return agent === null || registrationNumber === null
    ? [siteName]
    : [siteName, texts.emails.signature(agent, registrationNumber)]
}

/** Line breaks in a subject become spaces. */
export function oneLine(text: string): string {
  return text.replace(/[\s\u0085]+/g, ' ').trim()
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}

/** A time in the time zone of the office, such as "24 Nov 2026, 10:28 am, Sydney time". */
export function describeTime(
  time: Date,
  dateStyle: 'full' | 'medium',
  timeZone: string,
  { texts }: EmailSignature,
): string {
  const shown = new Intl.DateTimeFormat(texts.lang, { dateStyle, timeStyle: 'short', timeZone }).format(time)
  return texts.emails.officeTime(shown.replace('\u202f', ' '), placeOf(timeZone))
}
