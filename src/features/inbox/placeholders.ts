/** What a canned reply may leave open, in braces: `{name}`. */
export const placeholders = ['name', 'reference', 'agent', 'agency', 'service'] as const
export type Placeholder = (typeof placeholders)[number]

/** What each stands for. The service is null when the visitor named none. */
export type PlaceholderValues = Readonly<Record<Exclude<Placeholder, 'service' | 'agent'>, string>> & {
  readonly service: string | null
  /** Null while the site names none. */
  readonly agent: string | null
}

/** Takes the place of a service that the visitor did not name, in a sentence such as "about {service}". */
const NO_SERVICE = 'your enquiry'

/** Takes the place of an agent that the site does not name yet. */
const NO_AGENT = 'our agent'

const IN_BRACES = /\{([^{}\n]*)\}/g

/** What stands in braces and is no placeholder, as it is written. */
export function unknownPlaceholders(text: string): string[] {
  const named = [...text.matchAll(IN_BRACES)].filter(([, name = '']) => !isPlaceholder(name))
  return [...new Set(named.map(([whole]) => whole))]
}

/** The text with its placeholders filled, once: what a visitor wrote may look like a placeholder. */
export function fillPlaceholders(text: string, values: PlaceholderValues): string {
  return text.replace(IN_BRACES, (whole, name: string) =>
    isPlaceholder(name) ? (values[name] ?? (name === 'agent' ? NO_AGENT : NO_SERVICE)) : whole,
  )
}

function isPlaceholder(name: string): name is Placeholder {
  return placeholders.some(placeholder => placeholder === name)
}
