import assert from 'node:assert/strict'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { suite, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import * as z from 'zod/mini'
import { openBrowser } from '../../../tests/support/browser.ts'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp, PUBLIC_URL } from '../../../tests/support/test-app.ts'
import { until } from '../../../tests/support/until.ts'
import { serveSignIn } from '../../features/sign-in/api.server.ts'
import { createApiRouter, serve } from '../api-router.ts'
import { endpoint } from '../endpoint.ts'

const Empty = z.object({})
/** Calls of one person that run at the same time. */
const AT_ONCE = 4

suite('Calls of one person', async () => {
  const testApp = await openTestApp()
  const router = createApiRouter(testApp.services)
  const released = Promise.withResolvers<void>()
  let begun = 0
  serveSignIn(router)
  const slow = endpoint({ method: 'GET', path: '/api/slow', access: 'signed-in', input: Empty, reply: Empty })
  serve(router, slow, async () => {
    begun++
    await released.promise
    return {}
  })
  const quick = { ...slow, path: '/api/quick' }
  serve(router, quick, async () => ({}))
  const open = endpoint({ method: 'GET', path: '/api/open', access: 'public', input: Empty, reply: Empty })
  serve(router, open, async () => ({}))

  test('only a few run at a time, nobody else waits, and those whose client has gone are not worked on', async () => {
    const signIn = async (address: string) => {
      const browser = openBrowser(router.app, PUBLIC_URL, address)
      return await signInAs(testApp, (await createStaff(testApp, 'viewer')).email, browser)
    }
    const [ana, ben] = [await signIn('198.51.100.1'), await signIn('198.51.100.2')]
    const cookie = [...ana.cookies].map(pair => pair.join('=')).join('; ')
    const callAsAna = async (outgoing?: ServerResponse) =>
      await router.app.fetch(new Request(`${PUBLIC_URL}${slow.path}`, { headers: { cookie } }), {
        ...{ peer: '198.51.100.1', ...(outgoing && { outgoing }) },
      })
    const running = Array.from({ length: AT_ONCE }, () => callAsAna())
    await until(() => begun === AT_ONCE)
    const gone = new ServerResponse(new IncomingMessage(new Socket()))
    const waiting = [callAsAna(gone), callAsAna()]
    gone.destroy()
    const quickOfAna = ana.fetch(quick.path)

    for (const path of [quick.path, open.path]) assert.equal((await ben.fetch(path)).status, 200)
    assert.equal((await ana.fetch(open.path)).status, 200, 'what anyone may call')
    await turn()
    assert.equal(begun, AT_ONCE)
    released.resolve()
    assert.deepEqual(
      (await Promise.all([...running, ...waiting, quickOfAna])).map(({ status }) => status),
      [200, 200, 200, 200, 503, 200, 200],
    )
    assert.equal(begun, AT_ONCE + 1)
  })
})
