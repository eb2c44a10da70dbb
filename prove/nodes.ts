import { signIn } from '../src/features/sign-in/contract.ts'
import { openBrowser } from '../src/testing/browser.ts'
import { type MailServer, openMailServer } from '../src/testing/mail-server.ts'
import type { Fault } from './fault.ts'
import { compareWithDatabase, openLedger } from './ledger.ts'
import { ADMIN_PASSWORD, type Node, openNode, PUBLIC_URL, sendEnquiry } from './node.ts'

const ADMIN_EMAIL = 'admin@agency.test'

export const twoNodes: Fault = {
  name: 'F16',
  title: 'two nodes on one database',
  engines: ['PostgreSQL'],
  async prove(trial) {
    const mail = await openMailServer()
    const databaseUrl = await trial.createDatabase()
    const open = () => openNode({ databaseUrl, smtpUrl: mail.url })
    const [one, other] = [await open(), await open()]
    const complaints = [...(await endSessions(one, other, mail))]
    const ledger = openLedger()
    const cycles = trial.cycles(20, 300)
    for (let cycle = 0; cycle < cycles && !trial.signal.aborted; cycle++) {
      const send = (node: Node) => sendEnquiry(node, cycle, { key: `on-both-nodes-${cycle}` })
      const [first, second] = await Promise.all([send(one), send(other)])
      if (first !== second) complaints.push(`key ${cycle} got two references`)
      ledger.acknowledged.set(`${cycle}`, first)
      trial.tell(`${cycle + 1} of ${cycles}`)
    }
    const { stored, lost, duplicated } = await compareWithDatabase(ledger, one)
    if (stored !== ledger.acknowledged.size) complaints.push(`${stored} are stored`)
    await one.close()
    await other.close()
    await mail.close()
    return { cycles, acknowledged: ledger.acknowledged.size, lost, duplicated, complaints }
  },
}

/** Signed in on one, seen on the other; signed out on the other, seen on the first at the next request. */
async function endSessions(one: Node, other: Node, mail: MailServer): Promise<string[]> {
  const browser = one.browser('203.0.113.9')
  await browser.call(signIn.login, { email: ADMIN_EMAIL, password: ADMIN_PASSWORD })
  const letter = await mail.next(({ subject }) => subject?.includes('sign-in code') ?? false)
  await browser.call(signIn.verifyCode, { code: /^\d{6}$/m.exec(letter.text ?? '')?.[0] ?? '' })
  const elsewhere = openBrowser(other.app, PUBLIC_URL, '203.0.113.9')
  for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value)
  const complaints: string[] = []
  if ((await elsewhere.fetch('/api/auth/me')).status !== 200) complaints.push('signed in on one node only')
  await elsewhere.send('POST', '/api/auth/logout')
  if ((await browser.fetch('/api/auth/me')).status !== 401) complaints.push('signed out on one node only')
  return complaints
}
