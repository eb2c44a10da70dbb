import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { signIn } from '../../src/features/sign-in/contract.ts'
import { createListener, type Site } from '../../src/http/listener.ts'
import { createHttpServer } from '../../src/http/server.ts'
import { openMailchimpServer } from '../support/mailchimp-server.ts'
import { openRecaptchaServer } from '../support/recaptcha-server.ts'
import { listen } from '../support/site.ts'
import { createStaff, signInAs } from '../support/staff.ts'
import { ADMIN_EMAIL, openTestApp } from '../support/test-app.ts'
import { run } from './run.ts'

/** Every check sends the same; `npm run test:fuzz` sends more, with a seed that it draws and prints. */
const requests = Number(process.env.FUZZ_REQUESTS ?? (process.env.TEST_DATABASE_URL ? 1000 : 2000))
const seed = Number(process.env.FUZZ_SEED ?? 27)

/** Only `npm run test:fuzz` on a terminal shows progress. */
const showProgress = (sent: number) => {
  if (process.stderr.isTTY && process.env.FUZZ_REQUESTS)
    process.stderr.write(`\r${sent} of ${requests} requests `)
}

suite('Hostile requests', async () => {
  const [mailchimp, google] = [await openMailchimpServer(), await openRecaptchaServer('agency.test')]
  after(() => Promise.all([mailchimp.close(), google.close()]))
  const urls = { mailchimpApiUrl: mailchimp.url, recaptchaVerifyUrl: google.url }
  const testApp = await openTestApp({ ...urls, trustProxy: 1 })
  const { app, services } = testApp
  const fetchFrom: Site['fetch'] = (request, connection) => app.fetch(request, connection)
  const listener = createListener({ responses: new Map(), services, fetch: fetchFrom })
  const url = await listen(createHttpServer(listener))

  test(`hostile requests of any kind get the replies that the API reference declares: ${requests} with seed ${seed}`, async context => {
    const { faults, statuses } = await run(testApp, url, requests, seed, showProgress)
    const counts = [...statuses].sort().map(([status, count]) => `${count} × ${status}`)
    context.diagnostic(`seed ${seed}: ${counts.join(', ')}`)
    const failures = [...faults].map(([fault, { request, count }]) => `${count} × ${fault}\n${request}`)
    assert.equal(failures.length, 0, `seed ${seed}:\n${failures.join('\n\n')}`)
    // Requests of all kinds must have passed the first checks; otherwise nothing was tested.
    for (const status of [200, 400, 401, 403, 404])
      assert.ok((statuses.get(status) ?? 0) > requests / 500, `${status}`)
    assert.ok(statuses.has(201))
  })

  test('after hostile requests the server is ready, staff can sign in, and the first admin is unchanged', async () => {
    assert.equal((await fetch(`${url}/readyz`)).status, 200)
    await services.db.deleteFrom('settings').execute()
    const { email } = await createStaff(testApp, 'admin')
    const { user } = await (await signInAs(testApp, email)).call(signIn.me, {})
    assert.equal(user.role, 'admin')
    const first = services.db.selectFrom('users').select(['email', 'role'])
    const { email: kept, role } = await first.where('is_default', '=', 1).executeTakeFirstOrThrow()
    assert.deepEqual([kept, role], [ADMIN_EMAIL, 'admin'])
  })
})
