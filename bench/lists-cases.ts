/** What a list is asked for. Words in capitals stand for what is another in each database. */
export interface Case {
  readonly list: 'messages' | 'logs'
  readonly query: Readonly<Record<string, string>>
}

/** Of every kind that the seeded rows have some of, and combinations that none of them has. */
export const casesOfFullTables: readonly Case[] = [
  ...messageLists(
    {},
    { cursor: 'LAST' },
    { formType: 'contact' },
    { formType: 'tracking' },
    { formType: 'visa-assessment' },
    { formType: 'auth' },
    { isRead: 'false' },
    { isRead: 'true' },
    { verification: 'verified' },
    { verification: 'off' },
    { verification: 'unverified' },
    { verification: 'suspect' },
    { letter: 'failed' },
    { formType: 'tracking', isRead: 'false' },
    { isRead: 'false', verification: 'suspect' },
    { isRead: 'true', verification: 'verified', cursor: 'LAST' },
    { formType: 'contact', letter: 'failed' },
    { formType: 'auth', isRead: 'false' },
    { formType: 'auth', verification: 'off' },
    { formType: 'auth', letter: 'failed' },
  ),
  ...messageLists(
    ...['RARE', 'nurse', 'Perth', 'seed.example', 'Mai', 'Mai Nguyen'].map(q => ({ q })),
    ...['EMAIL', 'PHONE', 'REFERENCE', 'ma', 'qx'].map(q => ({ q })),
    { q: 'six years of experience' },
    { q: 'Can my sister join us for more than a holiday? Please write to me' },
    { q: 'nowhere-to-be-found' },
    { q: 'my sister is a registered nurse' },
    { q: 'nurse', cursor: 'LAST' },
    { q: 'RARE', cursor: 'LAST' },
  ),
  ...messageLists(
    { q: 'nurse', isRead: 'false' },
    { q: 'nurse', formType: 'auth' },
    { q: 'nurse', verification: 'suspect' },
    { q: 'nurse', letter: 'failed' },
    { q: 'Mai Nguyen', isRead: 'false' },
    { q: 'RARE', isRead: 'true' },
    { q: 'RARE', formType: 'auth' },
    { q: 'RARE', letter: 'failed' },
    { q: 'ma', isRead: 'false' },
    { q: 'nurse', formType: 'contact', isRead: 'false', verification: 'off' },
  ),
  ...logLists(
    {},
    { cursor: 'LAST' },
    ...['debug', 'info', 'warning', 'error', 'critical'].map(level => ({ level })),
    ...['FormService', 'EmailService', 'API', 'Auth'].map(source => ({ source })),
    { level: 'warning', source: 'Auth' },
    { level: 'critical', source: 'Auth' },
    { level: 'critical', source: 'API', cursor: 'LAST' },
  ),
]

/**
 * Words that many messages have and few or none together, or none has while many have its groups of three characters. An
 * index that gives all hits at once, or none after long, spares nobody all of the table: so these are held to a part of
 * what reading it takes.
 */
export const casesOfSeldomTogether: readonly Case[] = messageLists(
  { q: 'Perth Nguyen' },
  { q: 'sister partner stage' },
  { q: 'sistering' },
)

/** Once nothing is unread, suspect or unsent any more. */
export const casesOfSettledTables: readonly Case[] = messageLists(
  {},
  { isRead: 'false' },
  { verification: 'suspect' },
  { letter: 'failed' },
  { isRead: 'false', verification: 'suspect' },
  { q: 'nurse', isRead: 'false' },
  { q: 'nurse', verification: 'suspect' },
  { q: 'nurse', letter: 'failed' },
  { q: 'RARE', isRead: 'false' },
)

function messageLists(...queries: Case['query'][]): Case[] {
  return queries.map(query => ({ list: 'messages', query }))
}

function logLists(...queries: Case['query'][]): Case[] {
  return queries.map(query => ({ list: 'logs', query }))
}
