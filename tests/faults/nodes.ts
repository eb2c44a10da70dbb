import { messages } from '../../src/features/inbox/contract.ts'
import { users } from '../../src/features/users/contract.ts'
import type { Browser } from '../support/browser.ts'
import { openMailServer } from '../support/mail-server.ts'
import { createStaff, signInAs } from '../support/staff.ts'
import { createToken, createTokenClient } from '../support/token-client.ts'
import type { Fault } from './fault.ts'
import { compareWithDatabase, openLoadRecorder } from './load-recorder.ts'
import { type Node, openNode, sendEnquiry } from './node.ts'

/** Enquiries that are stored from one IP address in ten minutes, at most. */
const STORED_PER_ADDRESS = 10
const TOO_MANY = 24

export const twoNodes: Fault = {
  name: 'F16',
  title: 'two nodes on one database: repeats, limits, sign-outs, tokens, the last admin',
  engines: ['PostgreSQL'],
  async execute(run) {
    const mailServer = await openMailServer()
    const databaseUrl = await run.createDatabase()
    const open = () => openNode({ databaseUrl, smtpUrl: mailServer.url })
    const pair = { one: await open(), other: await open() }
    const { one, other } = pair
    const recorder = openLoadRecorder()
    const cycles = run.cycles(20, 300)
    const admins = await signInTwoAdmins(pair)
    const failures: string[] = []
    let cycle = 0
    for (; cycle < cycles && !run.signal.aborted; cycle++) {
      const send = (node: Node) => sendEnquiry(node, cycle, { key: `on-both-nodes-${cycle}` })
      const [first, second] = await Promise.all([send(one), send(other)])
      if (first !== second) failures.push(`key ${cycle} got two references`)
      recorder.acknowledged.set(`${cycle}`, first)
      const stored = await flood(pair, cycle)
      for (const reference of stored) recorder.acknowledged.set(reference, reference)
      if (stored.length !== STORED_PER_ADDRESS)
        failures.push(`an address had ${stored.length} enquiries stored`)
      const left = await demoteEachOther(pair, admins)
      if (left !== 1) failures.push(`${left} admins are left`)
      run.showProgress(`${cycle + 1} of ${cycles}`)
    }
    failures.push(...(await checkRevocation(pair)))
    const { stored, lost, duplicated } = await compareWithDatabase(recorder, one)
    if (stored !== recorder.acknowledged.size) failures.push(`${stored} are stored`)
    await one.close()
    await other.close()
    await mailServer.close()
    return { cycles: cycle, acknowledged: recorder.acknowledged.size, lost, duplicated, failures }
  },
}

interface Pair {
  readonly one: Node
  readonly other: Node
}

/** Sends more concurrent enquiries from one address than are allowed, to both nodes alternately. @returns the references of those stored. */
async function flood({ one, other }: Pair, cycle: number): Promise<string[]> {
  const address = `10.8.${cycle >> 8}.${cycle & 255}`
  const sent = Array.from({ length: TOO_MANY }, (_, at) =>
    sendEnquiry(at % 2 ? one : other, 1000 + cycle * TOO_MANY + at, { address }),
  )
  const results = await Promise.allSettled(sent)
  return results.flatMap(it => (it.status === 'fulfilled' ? [it.value] : []))
}

interface Admin {
  readonly id: string
  readonly browser: Browser
}

/** Signs one admin in on each node; there are no others. */
async function signInTwoAdmins({ one, other }: Pair): Promise<[Admin, Admin]> {
  const signInAdmin = async (node: Node) => {
    const { id, email } = await createStaff(node, 'admin')
    return { id, browser: await signInAs(node, email) }
  }
  const admins: [Admin, Admin] = [await signInAdmin(one), await signInAdmin(other)]
  await one.services.db.updateTable('users').set({ role: 'viewer' }).where('is_default', '=', 1).execute()
  return admins
}

/** Each demotes the other at the same moment. @returns how many admins are left. */
async function demoteEachOther({ one }: Pair, [left, right]: [Admin, Admin]): Promise<number> {
  const { db } = one.services
  const both = [left.id, right.id]
  await db.updateTable('users').set({ role: 'admin' }).where('id', 'in', both).execute()
  await Promise.allSettled([
    left.browser.call(users.change, { id: right.id, role: 'viewer' }),
    right.browser.call(users.change, { id: left.id, role: 'viewer' }),
  ])
  return (await db.selectFrom('users').select('id').where('role', '=', 'admin').execute()).length
}

/** After a sign-out or a revoked token on one node, the other denies the next request. */
async function checkRevocation({ one, other }: Pair): Promise<string[]> {
  const admin = await createStaff(one, 'admin')
  const here = await signInAs(one, admin.email)
  const there = other.browser()
  for (const [name, value] of here.cookies) there.cookies.set(name, value)
  const { id, token } = await createToken(here, admin)
  const client = createTokenClient(other, token)
  const ask = async () => [
    (await client('GET', messages.list.path)).status,
    (await there.fetch('/api/auth/me')).status,
  ]
  const before = await ask()
  await here.send('DELETE', `/api/admin/tokens/${id}`)
  await here.send('POST', '/api/auth/logout')
  const after = await ask()
  return [...before, ...after].join() === '200,200,401,401'
    ? []
    : [`the other node responded with ${before}, then ${after}`]
}
