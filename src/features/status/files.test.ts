import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { suite, test } from 'node:test'
import { add, attached, replyWith } from '../../../tests/support/attached-files.ts'
import { openBrowser } from '../../../tests/support/browser.ts'
import { passUndoTime, untilDelivered } from '../../../tests/support/conversation.ts'
import { postedForm } from '../../../tests/support/posted-form.ts'
import { openSite } from '../../../tests/support/site.ts'
import { countStored } from '../../../tests/support/stored-bytes.ts'
import { openTestApp, PUBLIC_URL } from '../../../tests/support/test-app.ts'
import { until } from '../../../tests/support/until.ts'
import { openVisitorPages } from '../../../tests/support/visitor-pages.ts'
import { isoAfter } from '../../platform/clock.ts'
import { attachmentPath } from '../inbox/attachments/contract.ts'
import { MAX_ADDED_BYTES } from './contract.ts'
import { addVisitorToken } from './tokens.server.ts'

suite('Files on the page of an enquiry', async () => {
  const testApp = await openTestApp()
  const { services } = testApp
  const { db, clock } = services
  const site = await openSite(testApp, { clock })
  const { ana, store } = await openVisitorPages(testApp)

  /** Somebody who has typed the code. */
  async function openEnquiry(change = {}) {
    const enquiry = await store(change)
    const browser = openBrowser({ fetch: request => site.fetch(request) }, PUBLIC_URL, '')
    browser.cookies.set('__Host-enquiry_access', await addVisitorToken({ db, clock }, enquiry.id, 'access'))
    const of = enquiry.reference
    async function send(message: string, files: readonly File[], key: string = randomUUID()) {
      const fields = Object.entries({ of, message, key })
      const form = await postedForm([...fields, ...files.map(file => ['files', file] as const)])
      return await browser.fetch('/status/add', { method: 'POST', ...form })
    }
    const download = async (id: string) =>
      await browser.fetch('/status/file', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `${new URLSearchParams({ of, id })}`,
      })
    const read = async () => await (await browser.fetch('/status')).text()
    return { ...enquiry, browser, send, download, read }
  }
  const filesOf = async (id: string) =>
    (await ana.open(id)).entries.flatMap(({ attachments = [] }) => attachments)
  const idIn = (page: string) => /name="id" value="([^"]+)"/.exec(page)?.[1] ?? ''
  const photo = new File([new Uint8Array([0xff, 0xd8, 0xff, 1, 2, 3])], 'hộ chiếu.jpg', {
    type: 'image/jpeg',
  })

  test('a visitor adds files, with or without words, once for each key; staff get them, and the visitor gets them back', async () => {
    const { id, send, read, download } = await openEnquiry()
    const key = randomUUID()
    const program = new File(['MZ'], '../../CON.exe')
    for (let at = 0; at < 2; at++)
      assert.equal(
        (await send('My passport.', [photo, program], key)).headers.get('location'),
        '/status?added#added',
      )
    const [first, second, ...more] = await filesOf(id)
    assert.deepEqual(more, [])
    assert.deepEqual(
      [first?.name, first?.type, first?.warning, first?.state],
      ['hộ chiếu.jpg', 'image/jpeg', null, 'kept'],
    )
    assert.deepEqual([second?.name, second?.warning], ['_.._CON.exe', 'program'])
    assert.deepEqual(
      Buffer.from(await (await ana.browser.fetch(attachmentPath(id, first?.id ?? ''))).arrayBuffer()),
      Buffer.from([0xff, 0xd8, 0xff, 1, 2, 3]),
    )
    assert.equal((await send('', [photo])).status, 303)
    assert.equal((await filesOf(id)).length, 3)
    const page = await read()
    assert.ok(page.includes('hộ chiếu.jpg'))
    const file = await download(idIn(page))
    assert.deepEqual(Buffer.from(await file.arrayBuffer()), Buffer.from([0xff, 0xd8, 0xff, 1, 2, 3]))
    assert.match(file.headers.get('content-disposition') ?? '', /^attachment;.* filename\*=UTF-8''h%E1%BB%99/)
    assert.match(file.headers.get('content-security-policy') ?? '', /sandbox/)
    assert.equal(file.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(file.headers.get('cache-control'), 'no-store')
  })

  test('neither words nor files are nothing, and twenty-one files are too many', async () => {
    const { id, send } = await openEnquiry()
    const nothing = await send(' ', [])
    assert.equal(nothing.status, 400)
    assert.match(await nothing.text(), /Write something/)
    const many = await send(
      'All of them',
      Array.from({ length: 21 }, () => photo),
    )
    assert.equal(many.status, 400)
    const page = await many.text()
    assert.match(page, /At most 20 files/)
    assert.match(page, /<textarea[^>]*>All of them</, 'nothing typed is lost')
    assert.deepEqual(await filesOf(id), [])
  })

  test('fifteen megabytes arrive whole; more are refused, and of who has not typed the code none is read', async () => {
    const { id, send, browser } = await openEnquiry()
    const large = new File([new Uint8Array(MAX_ADDED_BYTES).fill(7)], 'large.bin')
    assert.equal((await send('', [large])).status, 303)
    const [stored] = await filesOf(id)
    assert.deepEqual([stored?.size, stored?.state], [MAX_ADDED_BYTES, 'kept'])
    const larger = await send('', [large, new File([new Uint8Array(100_000)], 'b')])
    assert.equal(larger.status, 413)
    assert.match(await larger.text(), /15 MB together.*choose fewer or smaller ones/)
    browser.cookies.delete('__Host-enquiry_access')
    const late = await send('Words', [large])
    assert.equal(late.status, 404)
    assert.match(await late.text(), /Nothing was sent or changed.*Your files have to be chosen again/)
    assert.equal((await filesOf(id)).length, 1)
  })

  test('words have room while files come, of which one visitor sends two lots at a time', async () => {
    const { id, send, browser, reference } = await openEnquiry()
    const other = await openEnquiry()
    const large = new File([new Uint8Array(5_000_000)], 'large.bin')
    const lots = [send('', [large]), send('', [large]), send('', [large])]
    const [words, ...sent] = await Promise.all([other.send('Words', []), ...lots])
    assert.equal(words.status, 303)
    assert.deepEqual(sent.map(({ status }) => status).toSorted(), [303, 303, 503])
    assert.equal((await filesOf(id)).length, 2)
    const refused = await sent.find(({ status }) => status === 503)?.text()
    assert.match(refused ?? '', /Your files have to be chosen again/)
    const texts = await browser.fetch('/status/add', {
      method: 'POST',
      ...(await postedForm([
        ['of', reference],
        ['key', randomUUID()],
        ['message', '<'.repeat(1_000_000)],
      ])),
    })
    assert.equal(texts.status, 413)
    assert.ok((await texts.text()).length < 100_000, 'it is not drawn again')
  })

  test('who goes back, writes something else and sends it, sends it', async () => {
    const { id, send } = await openEnquiry()
    const key = randomUUID()
    for (const text of ['First', 'Second', 'Second'])
      assert.equal((await send(text, [], key)).headers.get('location'), '/status?added#added')
    const said = (await ana.open(id)).entries.filter(({ kind }) => kind === 'inbound')
    assert.deepEqual(
      said.map(({ body }) => body),
      ['First', 'Second'],
    )
  })

  test('one visitor uses up little of what is kept of a day', async () => {
    const { id, send } = await openEnquiry()
    // What comes is stored with what it is merged into.
    const kept = await store()
    await ana.merge(id, kept.id)
    const full = {
      message_id: kept.id,
      entry_id: kept.id,
      position: 0,
      kind: 'file',
      type: 'x/y',
      warning: null,
    } as const
    const created_at = isoAfter(clock)
    await db
      .insertInto('attachments')
      .values({ ...full, id: randomUUID(), name: 'Before', size: 60 * 1024 ** 2, sha256: null, created_at })
      .execute()
    assert.equal((await send('', [photo])).status, 503)
    assert.equal((await send('Words', [])).status, 303)
  })

  test('what an answer brings is downloaded by its own visitor once it is out, and by nobody else', async () => {
    const [own, other] = [await openEnquiry(), await openEnquiry()]
    const file = await attached(
      await add(ana, own.id, new TextEncoder().encode('Guide'), { name: 'Guide.pdf' }),
    )
    const { reply } = await (await replyWith(ana, own.id, [file.id])).json()
    assert.equal((await own.download(file.id)).status, 404, 'it can still be taken back')
    passUndoTime(testApp)
    await untilDelivered(testApp, reply.id)
    assert.equal(idIn(await own.read()), file.id)
    assert.equal(await (await own.download(file.id)).text(), 'Guide')
    assert.equal((await other.download(file.id)).status, 404)
    await db.updateTable('blobs').set({ found: 'Eicar' }).where('size', '=', 5).execute()
    assert.equal((await own.download(file.id)).status, 404, 'the scanner has found something')
    assert.match(await own.read(), /Guide\.pdf/)
    assert.equal(idIn(await own.read()), '')
  })

  test('a draft of staff is nobody’s file', async () => {
    const { id, download, read } = await openEnquiry()
    const draft = await attached(await add(ana, id, new TextEncoder().encode('Draft'), { name: 'Draft.pdf' }))
    assert.doesNotMatch(await read(), /Draft\.pdf/)
    assert.equal((await download(draft.id)).status, 404)
  })

  test('while the space for files is full nothing is taken, which is said, and words are', async () => {
    const { id, send } = await openEnquiry()
    const created_at = isoAfter(clock)
    for (const sha256 of ['much', 'more'])
      await db
        .insertInto('blobs')
        .values({ sha256, size: 1024 ** 3, created_at })
        .execute()
    const full = await send('With a photo', [photo])
    assert.equal(full.status, 503)
    const page = await full.text()
    assert.match(page, /We cannot take files at the moment/)
    assert.match(page, /<textarea[^>]*>With a photo</)
    assert.equal((await send('With a photo', [])).status, 303)
    assert.deepEqual(await filesOf(id), [])
    await db.deleteFrom('blobs').where('sha256', 'in', ['much', 'more']).execute()
  })

  test('what a visitor erases on the page is in no file and no row, words and files, and the email about it neither', async () => {
    const marker = `marker${randomUUID().slice(-12)}`
    const email = `${marker}@visitor.test`
    const { send, browser, reference: of } = await openEnquiry({ email, message: `First ${marker}` })
    // What is stored of it, in base64, is the marker several times.
    const file = new File([Buffer.from(marker.repeat(4), 'base64')], `${marker}.pdf`)
    assert.equal((await send(`More ${marker}`, [file])).status, 303)
    assert.ok((await countStored(testApp, [marker.repeat(4)])) > 0)
    const erase = async () =>
      await browser.fetch('/status/erase', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `${new URLSearchParams({ of })}`,
      })
    const access = browser.cookies.get('__Host-enquiry_access') ?? ''
    const page = await (await erase()).text()
    assert.match(page, /<dt>Files<\/dt><dd>1<\/dd>/)
    assert.match(page, /It is also on its way to you by email/)
    // As a second press sends it.
    browser.cookies.set('__Host-enquiry_access', access)
    assert.match(await (await erase()).text(), /If your enquiry was erased, nothing is left of it/)
    const count = () => countStored(testApp, [marker])
    await until(async () => (await count()) === 0)
  })
})
