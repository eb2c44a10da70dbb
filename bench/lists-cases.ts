import { messageTypes, statuses, verifications } from '../src/features/inbox/messages/filter-contract.ts'
import { logLevels, logSources } from '../src/log/levels.ts'

type Query = Readonly<Record<string, string>>

/** One row of the table. Words in capitals are placeholders for what differs in each database. */
export interface Case {
  readonly name: string
  readonly list: 'messages' | 'logs'
  readonly queries: readonly Query[]
  /** Opens the message with this id, with its neighbours in the list. */
  readonly open?: 'LAST' | 'LONG'
  /** Milliseconds, when it may take longer than others. */
  readonly max?: number
}

const types = messageTypes.map(formType => ({ formType }))
const readStates = ['true', 'false'].map(isRead => ({ isRead }))
const results = verifications.map(verification => ({ verification }))
const threeFilters = product(product(types, readStates), results)

/** Longer and shorter words, some of which no message has, and what makes other searches slow. */
const worstSearches = [
  'sister partner stage',
  'sistering',
  'nowhere-to-be-found',
  `${'a'.repeat(150)}b`,
  `${'😀é'.repeat(40)}é`,
  'đi ăn ở bờ hồ uố êm ái ôi ưa ấm úp ổi ồn ắt ẩn ỏi ủi',
  `visitor ${'e\u0301u\u0308'.repeat(20)} o\u0302 u\u0308`,
  'nursingnurses singnurse rsesnurs',
]

export const cases: readonly Case[] = [
  { name: 'messages', list: 'messages', queries: [{}] },
  { name: 'messages, 200', list: 'messages', queries: [{ limit: '200' }] },
  { name: 'messages, last page', list: 'messages', queries: [{ cursor: 'LAST' }] },
  ...[...types, ...readStates, ...results, { letter: 'failed' }].map(query => messageCase(query)),
  messageCase({ letter: 'failed', formType: 'auth' }),
  ...statuses.map(status => messageCase({ status })),
  ...[{ assignee: 'me' }, { assignee: 'none', status: 'waiting' }, { tag: 'common' }, { tag: 'rare' }].map(
    messageCase,
  ),
  ...[
    { overdue: 'true' },
    { snoozed: 'true' },
    { snoozed: 'true', tag: 'common', q: 'nurse' },
    { following: 'true' },
    { scheduled: 'true' },
  ].map(messageCase),
  { name: 'messages order=activity', list: 'messages', queries: [{ order: 'activity' }] },
  messageCase({ order: 'activity', status: 'open', assignee: 'me' }),
  messageCase({ order: 'activity', q: 'RARE' }),
  messageCase({ isRead: 'false', verification: 'suspect', cursor: 'LAST' }),
  { name: 'all combinations of three filters', list: 'messages', queries: threeFilters },
  {
    name: 'the same with letter=failed',
    list: 'messages',
    queries: product(threeFilters, [{ letter: 'failed' }]),
  },
  {
    name: 'the same with q=nurse',
    list: 'messages',
    queries: product(threeFilters, [{ letter: 'failed', q: 'nurse' }]),
  },
  ...['nurse', 'Mai Nguyen', 'six years of experience', 'ma', 'qx'].map(q => messageCase({ q })),
  ...['RARE', 'EMAIL', 'PHONE', 'REFERENCE'].map(q => messageCase({ q })),
  ...['subclass 186', '"subclass 186"', 'skills passport', 'hurry', 'cassowary', 'quokka', '移民'].map(q =>
    messageCase({ q }),
  ),
  ...['NATIONAL', "o'brien", 'nguy', 'quokka kookaburra'].map(q => messageCase({ q })),
  ...[{ isRead: 'true' }, { formType: 'auth' }, { letter: 'failed' }, { cursor: 'LAST' }].map(query =>
    messageCase({ q: 'RARE', ...query }),
  ),
  ...worstSearches.map(q => messageCase({ q })),
  { name: 'open 500 entries (within 100 ms)', list: 'messages', queries: [{}], open: 'LONG', max: 100 },
  { name: 'open a message by activity', list: 'messages', queries: [{ order: 'activity' }], open: 'LAST' },
  { name: 'open a message', list: 'messages', queries: [{}], open: 'LAST' },
  {
    name: 'open one of a search',
    list: 'messages',
    queries: [{ q: 'RARE' }, { letter: 'failed' }, { formType: 'auth' }],
    open: 'LAST',
  },
  { name: 'logs', list: 'logs', queries: [{}] },
  { name: 'logs, last page', list: 'logs', queries: [{ cursor: 'LAST' }] },
  ...logLevels.map(level => logCase({ level })),
  ...logSources.map(source => logCase({ source })),
  {
    name: 'logs, all combinations',
    list: 'logs',
    queries: product(
      logLevels.map(level => ({ level })),
      logSources.map(source => ({ source })),
    ),
  },
  logCase({ level: 'critical', source: 'API', cursor: 'LAST' }),
  logCase({ userId: 'USER' }),
  logCase({ userId: 'USER', level: 'critical' }),
  ...['signed in', 'LOGGED', ...worstSearches].map(q => logCase({ q })),
  logCase({ q: 'LOGGED', userId: 'USER', source: 'API' }),
]

/** Once nothing is unread, suspect or unsent. */
export const casesOfSettledTables: readonly Case[] = [
  { isRead: 'false' },
  { verification: 'suspect' },
  { letter: 'failed' },
  { q: 'RARE', isRead: 'false' },
].map(messageCase)

function messageCase(query: Query): Case {
  return { name: `messages ${shorten(query)}`, list: 'messages', queries: [query] }
}

function logCase(query: Query): Case {
  return { name: `logs ${shorten(query)}`, list: 'logs', queries: [query] }
}

function shorten(query: Query): string {
  const text = Object.entries(query)
    .map(([key, value]) => `${key}=${value}`)
    .join(' ')
  return text.length > 40 ? `${[...text].slice(0, 39).join('')}…` : text
}

function product(some: readonly Query[], others: readonly Query[]): Query[] {
  return some.flatMap(one => others.map(other => ({ ...one, ...other })))
}
