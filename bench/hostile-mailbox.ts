import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createCertificate } from '../tests/support/account-server.ts'
import { endlessly, type Misdeed, openHostileImap, saying, slowly } from '../tests/support/hostile-imap.ts'
import type { Attack, Victim } from './hostile-target.ts'
import { clearAtExit } from './process.ts'

const HOST = '127.77.0.1'
/** Whose certificate names another host. */
const OTHER_HOST = '127.77.0.2'
const PORT = 21_993
/** Fetches that an admin may ask for in five minutes. */
const FETCHES = 5
/** Milliseconds between two of them. */
const PAUSE = 1200
/** The certificate of the server for the process that attacks, in its environment. */
const CERTIFICATE = 'HOSTILE_MAILBOX'

const literal = (size: number) => `* 1 FETCH (UID 1 RFC822.SIZE 100 BODY[] {${size}}\r\n`

/** A literal of this many bytes, all of which are sent as far as anybody takes them. */
const withAll =
  (size: number): Misdeed =>
  (socket, tag, line) => {
    socket.write(literal(size))
    endlessly('x'.repeat(64 * 1024))(socket, tag, line)
  }

/** What the server of a mailbox does, from the first command on that has a misdeed. */
const servers: Readonly<Record<string, Readonly<Record<string, Misdeed>>>> = {
  'answers without end': { SEARCH: endlessly(`* SEARCH ${'1234567 '.repeat(500)}\r\n`) },
  'a literal of a gigabyte': { FETCH: withAll(1024 ** 3) },
  'a mail byte by byte': { FETCH: slowly(literal(5000) + 'x'.repeat(5000)) },
  'wrong lengths': { FETCH: saying(`${literal(3)}${'x'.repeat(500)})\r\nTAG OK done\r\n`) },
  'the certificate of another host': {},
}

export const mailboxAttacks: readonly Attack[] = Object.entries(servers).map(([what, misdeeds]) => ({
  name: `a mailbox with ${what}`,
  env: () => connectTo(misdeeds),
  begin: victim => beFetched(victim, misdeeds),
}))

/** The certificate is trusted, so that only its name can be wrong. */
function connectTo(misdeeds: (typeof servers)[string]) {
  const certificate = createCertificate(Object.keys(misdeeds).length > 0 ? HOST : OTHER_HOST)
  const file = join(tmpdir(), `landfall-hostile-mailbox-${process.pid}.pem`)
  clearAtExit(file)
  writeFileSync(file, certificate.cert)
  process.env[CERTIFICATE] = JSON.stringify(certificate)
  return { IMAP_URL: `imaps://desk:password@${HOST}:${PORT}/INBOX`, NODE_EXTRA_CA_CERTS: file }
}

/** Opens the server, whose mailbox is fetched at once and a few times more. */
async function beFetched({ url, cookie }: Victim, misdeeds: (typeof servers)[string]) {
  const server = await openHostileImap(JSON.parse(process.env[CERTIFICATE] ?? ''), misdeeds, HOST, PORT)
  const token = await fetch(`${url}/api/csrf-token`, { headers: { cookie } })
  const { csrfToken }: { csrfToken: string } = await token.json()
  const headers = { cookie, 'x-csrf-token': csrfToken, 'sec-fetch-site': 'same-origin', origin: url }
  let isOver = false
  const asking = (async () => {
    for (let count = 0; count < FETCHES && !isOver; count++) {
      await fetch(`${url}/api/settings/mail-in/fetch`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: '{}',
      })
      await sleep(PAUSE)
    }
  })()
  return {
    async end() {
      isOver = true
      await asking
      if (server.connections === 0) throw new Error('The mailbox was not fetched')
      await server.close()
    },
  }
}
