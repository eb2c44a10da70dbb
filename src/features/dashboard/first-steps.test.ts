import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { publishSite } from '../../../tests/support/content.ts'
import { createStaff, signInAs } from '../../../tests/support/staff.ts'
import { openTestApp } from '../../../tests/support/test-app.ts'
import { createSession } from '../../auth/session.ts'
import type { SiteBody } from '../../content/site-body.ts'
import { samplePages } from '../../sample/pages.server.ts'
import { sampleContent } from '../../sample/site.server.ts'
import { content } from '../content-editor/contract.ts'
import { samples } from '../content-editor/samples/contract.ts'
import { settings } from '../settings/contract.ts'
import { dashboard, type FirstStep } from './contract.ts'

const ownDetails = {
  abn: '51 824 753 556',
  address: ['1 George Street', 'Sydney NSW 2000'],
  email: 'office@southern.example',
  chat: { network: 'WeChat', handle: 'southern-cross' },
} satisfies Partial<SiteBody['company']>

suite('First steps', async () => {
  const testApp = await openTestApp({ publicUrl: 'https://agency.test' }, { samples: samplePages })
  const { services } = testApp
  const { db } = services
  const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)

  async function read() {
    return (await admin.call(dashboard.read, {})).firstSteps ?? assert.fail('there are no first steps')
  }
  const done = async () => (await read()).steps.filter(({ isDone }) => isDone).map(({ step }) => step)
  const hrefOf = async (step: FirstStep) => (await read()).steps.find(each => each.step === step)?.href ?? ''
  const change = async (key: 'site_name' | 'contact_phone' | 'first_steps_not_needed', value: string) =>
    await admin.call(settings.change, { key, value })

  test('a new installation has done no first step but mail and https, which its environment sets up, and is public', async () => {
    const { steps, isPublic } = await read()
    const settled = steps.filter(({ isDone, isNeeded }) => isDone || !isNeeded)
    assert.deepEqual(
      settled.map(({ step }) => step),
      ['mail', 'domain'],
    )
    assert.equal(isPublic, true)
  })

  test('mail is a first step while emails stay on the server, and a trial at http is not public', async () => {
    const trial = await openTestApp({ smtpUrl: null, publicUrl: 'http://localhost:3000' })
    const { id } = await createStaff(trial, 'admin')
    const browser = trial.browser()
    browser.cookies.set('session', await createSession(trial.services.db, trial.services.clock, id, 'test'))
    const { firstSteps } = await browser.call(dashboard.read, {})
    assert.deepEqual(firstSteps?.steps.find(({ step }) => step === 'mail')?.isDone, false)
    assert.deepEqual(firstSteps?.steps.find(({ step }) => step === 'domain')?.isDone, false)
    assert.equal(firstSteps?.isPublic, false)
  })

  test('only those who may change the settings see the first steps', async () => {
    for (const role of ['editor', 'viewer'] as const) {
      const browser = await signInAs(testApp, (await createStaff(testApp, role)).email)
      assert.equal((await browser.call(dashboard.read, {})).firstSteps, null)
    }
  })

  test('a first step links to the document and the field where it is done', async () => {
    const { documents } = await admin.call(content.list, {})
    const idOf = (path: string) => documents.find(document => document.path === path)?.id
    assert.equal(await hrefOf('agent'), `/content/${idOf('/')}?field=agent.name`)
    assert.equal(await hrefOf('fees'), `/content/${idOf('/fees')}?field=blocks.1.grid.rows.1.cells.column-2`)
  })

  test('a first step is done once nothing of its sample is left, and not before', async () => {
    await change('site_name', 'Southern Cross Migration')
    assert.deepEqual(await done(), ['mail', 'domain'])
    await change('contact_phone', '+61 2 9000 0000')
    assert.deepEqual(await done(), ['name', 'mail', 'domain'])
    const { site, facts } = sampleContent
    const agent = { ...site.agent, name: 'Mei Tanaka' }
    const { siteName, phone } = services.content.read().site.company
    const company = { ...site.company, siteName, phone, legalName: 'Southern Cross Migration Pty Ltd' }
    await publishSite(testApp, admin, { facts, site: { ...site, agent, company } })
    assert.deepEqual(await done(), ['name', 'mail', 'domain', 'testimonials', 'claims'])
    const own: SiteBody = {
      ...site,
      agent: { ...agent, registrationNumber: '1234567', portraitUrl: '/portrait.jpg' },
      company: { ...company, ...ownDetails },
      officeHours: [
        { id: 'hours-1', days: ['Monday'], opens: '09:00', closes: '12:00', byAppointment: false },
      ],
    }
    await publishSite(testApp, admin, { facts, site: own })
    const steps = [
      'name',
      'address',
      'agent',
      'hours',
      'mail',
      'domain',
      'portrait',
      'testimonials',
      'claims',
    ]
    assert.deepEqual(await done(), steps)
    await db.updateTable('users').set({ email: 'mei@southern.example' }).where('is_default', '=', 1).execute()
    assert.equal((await done()).includes('admin'), true)
  })

  test('an open step names each field that is still a sample, and leads to it (found E8)', async () => {
    const testApp = await openTestApp({ publicUrl: 'https://agency.test' }, { samples: samplePages })
    const admin = await signInAs(testApp, (await createStaff(testApp, 'admin')).email)
    const missing = async (step: FirstStep) => {
      const { steps } = (await admin.call(dashboard.read, {})).firstSteps ?? assert.fail('no first steps')
      return steps.find(each => each.step === step)?.missing ?? []
    }
    const labels = async (step: FirstStep) => (await missing(step)).map(({ label }) => label)
    assert.deepEqual(await labels('address'), ['Legal name', 'ABN', 'Address', 'Email', 'Chat handle'])
    const { site, facts } = sampleContent
    const { chat } = site.company
    const { siteName, phone } = services.content.read().site.company
    const own = { siteName, phone, chat, legalName: 'Southern Cross Pty Ltd' }
    const company = { ...site.company, ...ownDetails, ...own }
    await publishSite(testApp, admin, { facts, site: { ...site, company } })
    const [handle, ...others] = await missing('address')
    assert.deepEqual([handle?.label, others], ['Chat handle', []])
    assert.match(handle?.href ?? '', /^\/content\/[\w-]+\?field=company\.chat$/)
    assert.deepEqual(await labels('fees'), [
      'Written opinion',
      'Application, one person',
      'Each family member in the same application',
      'Employer sponsorship',
      'Second opinion',
    ])
    assert.match((await missing('fees'))[0]?.href ?? '', /\?field=blocks\.1\.grid\.rows\.1\.cells\.column-2$/)
  })

  test('a step that is not needed counts as settled, and the list goes with the last one', async () => {
    const { samples: left } = await admin.call(samples.list, {})
    const others = left.filter(({ path }) => !path.startsWith('blocks.'))
    assert.equal((await done()).includes('samples'), false)
    const chosen = others.map(({ document, path }) => ({ id: document.id, path }))
    await admin.call(samples.remove, { samples: chosen })
    assert.equal((await done()).includes('samples'), true)
    const id = (await hrefOf('fees')).replace(/^\/content\/|\?.*$/g, '')
    await change('first_steps_not_needed', 'fees')
    assert.equal((await admin.call(dashboard.read, {})).firstSteps, null)
    await change('first_steps_not_needed', '')
    assert.equal((await done()).includes('fees'), false)
    await admin.call(content.unpublish, { id })
    assert.equal((await admin.call(dashboard.read, {})).firstSteps, null)
  })

  test('where visitors see the samples, that of a step which is not needed keeps the samples open until it is gone', async () => {
    const trial = await openTestApp({ publicUrl: 'http://agency.test' }, { samples: samplePages })
    const admin = await signInAs(trial, (await createStaff(trial, 'admin')).email)
    const readStep = async () => {
      const { steps } = (await admin.call(dashboard.read, {})).firstSteps ?? assert.fail('no first steps')
      return steps.find(({ step }) => step === 'samples') ?? assert.fail('no such step')
    }
    const { samples: all } = await admin.call(samples.list, {})
    const isFee = (path: string) => path.startsWith('blocks.')
    const remove = async (isChosen: (path: string) => boolean) => {
      const chosen = all.filter(({ path }) => isChosen(path))
      const named = chosen.map(({ document: { id }, path }) => ({ id, path }))
      await admin.call(samples.remove, { samples: named })
    }
    const { href, missing } = await readStep()
    assert.equal(href, '/content?view=samples')
    const labels = missing.map(({ label }) => label)
    for (const label of ['Title of the agent', 'Introduction of the agent', 'Author of a page'])
      assert.ok(labels.includes(label), label)
    await remove(path => !isFee(path))
    assert.equal((await readStep()).isDone, true, 'the fees have a step of their own')
    await admin.call(settings.change, { key: 'first_steps_not_needed', value: 'fees' })
    assert.equal((await readStep()).isDone, false, 'visitors still see the fees')
    await remove(isFee)
    assert.equal((await readStep()).isDone, true)
  })

  test('only steps that an agency can do without are marked as not needed', async () => {
    for (const value of ['mail', 'fees,mail', 'fees,fees', ',fees', 'fees,', 'fees, hours', 'unknown'])
      assert.equal(
        (await admin.send('PUT', '/api/settings/first_steps_not_needed', { value })).status,
        400,
        value,
      )
    for (const value of ['hours,fees,portrait,testimonials,claims', ''])
      assert.equal((await admin.send('PUT', '/api/settings/first_steps_not_needed', { value })).status, 200)
  })
})
