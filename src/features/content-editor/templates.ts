type Kind = 'page' | 'article' | 'visa'

/** What a new page may start with. What they say is in `sample/templates.json`. */
export const templateNames = ['questions', 'fees', 'country', 'event'] as const
type TemplateName = (typeof templateNames)[number]

const templateLabels: Record<TemplateName, string> = {
  questions: 'Questions about a visa',
  fees: 'Fees',
  country: 'People from one country',
  event: 'An event',
}

const offered: Record<Kind, readonly TemplateName[]> = {
  page: templateNames,
  article: ['event'],
  visa: ['questions'],
}

/** The choices for a kind, an empty page first. */
export function templatesFor(kind: Kind): Readonly<Record<string, string>> {
  return Object.fromEntries([['', 'Nothing'], ...offered[kind].map(name => [name, templateLabels[name]])])
}
