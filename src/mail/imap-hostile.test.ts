import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { createCertificate, newLoopback } from '../../tests/support/account-server.ts'
import { endlessly, openHostileImap, saying, slowly } from '../../tests/support/hostile-imap.ts'
import { systemClock } from '../platform/clock.ts'
import { openMailbox } from './imap.ts'
import { MAX_MAIL, MailboxFailure } from './mail-source.ts'

const MIB = 1024 * 1024
const PASSWORD = 'the-password-of-the-desk'

const literal = (size: number, text: string) =>
  `* 1 FETCH (UID 1 RFC822.SIZE 100 BODY[] {${size}}\r\n${text})\r\n`

/** On a slow machine, the time is over before so much has come. */
const FLOOD = ['flood', 'timeout']

/** Each with what is said of it, null where it does no harm, and what it may send before the connection is closed, in MiB. */
const cases: readonly (readonly [
  string,
  Parameters<typeof openHostileImap>[1],
  problem: string | readonly string[] | null,
  most: number,
])[] = [
  ['a greeting that has no end', { GREETING: endlessly('* OK hello'.repeat(100)) }, FLOOD, 8],
  ['nothing at all', { GREETING: () => {} }, 'timeout', 1],
  ['a greeting byte by byte', { GREETING: slowly('* OK hello') }, 'timeout', 1],
  [
    'capabilities without end',
    { CAPABILITY: endlessly('* CAPABILITY IMAP4rev1 X\r\n'.repeat(50)) },
    FLOOD,
    8,
  ],
  ['folders without end', { LIST: endlessly('* LIST () "/" INBOX\r\n'.repeat(50)) }, FLOOD, 8],
  ['results without end', { SEARCH: endlessly(`* SEARCH ${'1234567 '.repeat(500)}\r\n`) }, FLOOD, 8],
  [
    'more results than were asked for',
    {
      SEARCH: saying(
        `* SEARCH ${Array.from({ length: 6000 }, (_, at) => at + 1).join(' ')}\r\nTAG OK done\r\n`,
      ),
    },
    'flood',
    1,
  ],
  ['a line without end', { SEARCH: endlessly('1 '.repeat(500)) }, FLOOD, 8],
  [
    'more mails than there are',
    { EXAMINE: saying(`* ${2 ** 32 - 1} EXISTS\r\nTAG OK done\r\n`) },
    'flood',
    1,
  ],
  ['mails without end', { FETCH: endlessly('* 1 FETCH (UID 1 RFC822.SIZE 1)\r\n'.repeat(50)) }, FLOOD, 16],
  ['a literal of a gigabyte', { FETCH: saying(literal(1024 ** 3, 'x'.repeat(100))) }, 'flood', 1],
  ['a literal that is longer than a mail may be', { FETCH: saying(literal(MAX_MAIL + 1, 'x')) }, 'flood', 1],
  ['a literal that never comes', { FETCH: saying(literal(5000, 'x')) }, 'timeout', 1],
  ['a literal byte by byte', { FETCH: slowly(literal(5000, 'x'.repeat(5000))) }, 'timeout', 1],
  [
    'a literal with a wrong length',
    { FETCH: saying(`${literal(3, 'x'.repeat(500))}TAG OK done\r\n`) },
    null,
    1,
  ],
  ['lists within lists', { FETCH: saying(`* 1 FETCH ${'('.repeat(50_000)}\r\nTAG OK done\r\n`) }, null, 1],
  ['a refusal', { FETCH: saying(`TAG NO [SERVERBUG] \u0007${PASSWORD} broke\r\n`) }, 'answer', 1],
  ['another place to go', { LOGIN: saying('* BYE too many connections\r\n', 'end') }, 'connections', 1],
]

suite('A mailbox on a hostile server', { concurrency: 4 }, () => {
  const certificates = new Map<string, ReturnType<typeof createCertificate>>()
  const hosts = cases.map(() => newLoopback())
  for (const host of hosts) certificates.set(host, createCertificate(host))
  setDefaultCACertificates([
    ...getCACertificates('default'),
    ...[...certificates.values()].map(({ cert }) => cert),
  ])

  for (const [at, [what, misdeeds, problem, most]] of cases.entries())
    test(`a server that sends ${what} costs one connection, and little of it`, async () => {
      const host = hosts[at] ?? assert.fail()
      const server = await openHostileImap(certificates.get(host) ?? assert.fail(), misdeeds, host)
      const account = { host, port: server.port, security: 'tls', user: 'desk', password: PASSWORD } as const
      const error = await readAll({ ...account, folder: 'INBOX' }, patienceFor(problem)).catch(
        (error: unknown) => error,
      )
      if (problem) {
        assert.ok(error instanceof MailboxFailure, String(error))
        assert.ok([problem].flat().includes(error.problem), error.message)
        assert.doesNotMatch(error.message, /the-password|\p{C}/u)
      } else assert.ok(error instanceof Map)
      assert.ok(server.sent < most * MIB, `${server.sent} bytes were sent`)
      await server.close()
    })
})

/** What part of half a minute a step may take: little only where the test waits for its end. */
function patienceFor(problem: unknown): number {
  if (problem === 'timeout') return 0.02
  return problem === FLOOD ? 0.04 : 1
}

async function readAll(account: Parameters<typeof openMailbox>[0], patience: number) {
  const mailbox = await openMailbox(account, {
    isPrivateAllowed: true,
    clock: systemClock,
    patience,
  })
  try {
    const uids = await mailbox.search({ first: 1 })
    await mailbox.list(uids)
    return await mailbox.fetch(uids.map(uid => ({ uid, size: 100, receivedAt: '' })))
  } finally {
    await mailbox.close()
  }
}
