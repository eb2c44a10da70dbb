import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, suite, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { publishSite } from '../../../tests/support/content.ts'
import { MAIL_KEY, openMailchimpServer } from '../../../tests/support/mailchimp-server.ts'
import {
  drawJpeg,
  drawPng,
  drawWebp,
  END,
  header,
  toPng,
  toWebp,
  upload,
} from '../../../tests/support/pictures.ts'
import { openPreviews } from '../../../tests/support/previews.ts'
import { until } from '../../../tests/support/until.ts'
import { SiteBody } from '../../content/site-body.ts'
import { renderEmail } from '../../mail/email.ts'
import { decoders } from '../../pictures/encode-sizes.ts'
import { inspectPicture } from '../../pictures/inspect-picture.ts'
import { LOGO_SHARED, logoSizes, logoUrl, SMALLEST_ICON } from '../../pictures/sizes.ts'
import { content } from '../content-editor/contract.ts'
import { MAX_LOGO, pictures } from './contract.ts'

/** A disc on nothing, in one colour. */
function drawDisc(side: number, [red, green, blue]: readonly [number, number, number]): Buffer {
  const rows = Buffer.alloc(side * (side * 4 + 1))
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const isInside = Math.hypot(x - side / 2, y - side / 2) < side / 2 - 2
      if (isInside) rows.set([red, green, blue, 255], y * (side * 4 + 1) + 1 + x * 4)
    }
  return toPng([header(side, side), ['IDAT', deflateSync(rows)], END])
}

suite('A logo', async () => {
  const mailchimp = await openMailchimpServer()
  after(() => mailchimp.close())
  const { testApp, editor, admin, viewer, siteId, siteBody, open, saveDraft } = await openPreviews({
    mailchimpApiUrl: mailchimp.url,
  })
  const { db } = testApp.services
  const addLogo = async (bytes: Uint8Array, browser = editor) =>
    await upload(browser, bytes, '/api/content/pictures/logo')
  const publish = async (brand: object | undefined) =>
    await publishSite(testApp, editor, {
      site: SiteBody.parse({ ...siteBody, ...(brand && { brand }) }),
      facts: [],
    })
  const idOf = async (reply: Response) => (await reply.json()).picture.id as string

  test('what is no square PNG of the right size is refused with what to do, and nothing is stored', async () => {
    const webp = await drawWebp(300, 300)
    const anim = toWebp([
      ['VP8X', Buffer.from('020000002b01002b0100', 'hex')],
      ['ANIM', Buffer.alloc(6)],
      [webp.toString('latin1', 12, 16), webp.subarray(20)],
    ])
    /** It says 512 pixels of a side, and has the bytes of a row. */
    const liar = toPng([header(512, 512), ['IDAT', deflateSync(Buffer.alloc(2049))], END])
    const bomb = toPng([header(30_000, 30_000), ['IDAT', deflateSync(Buffer.alloc(100_000))], END])
    const refused: readonly [what: string, bytes: Buffer, status: number, reason: RegExp][] = [
      ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 415, /not a JPEG, PNG or WebP/],
      ['a JPEG', await drawJpeg(300, 300), 415, /A logo is a PNG/],
      ['a WebP', webp, 415, /A logo is a PNG/],
      ['an animated WebP', anim, 400, /animated/],
      ['a PNG that is not square', drawPng(300, 280, 0), 400, /square, with 256 to 1024/],
      ['a small PNG', drawPng(255, 255, 0), 400, /256 to 1024/],
      ['a large PNG', drawPng(1025, 1025, 0), 400, /256 to 1024/],
      ['a PNG that lies about its size', liar, 400, /damaged/],
      ['a bomb', bomb, 400, /megapixels/],
      ['8 MB', Buffer.concat([drawPng(300, 300, 0), Buffer.alloc(8 * 1024 * 1024)]), 413, /too large/],
      [
        'one byte more than fits',
        Buffer.concat([drawPng(300, 300, 0), Buffer.alloc(MAX_LOGO)]),
        413,
        /too large/,
      ],
    ]
    for (const [what, bytes, status, reason] of refused) {
      const reply = await addLogo(bytes)
      assert.equal(reply.status, status, what)
      assert.match((await reply.json()).message, reason, what)
    }
    assert.equal((await addLogo(drawDisc(300, [1, 2, 3]), viewer)).status, 403)
    assert.deepEqual(await db.selectFrom('pictures').select('id').execute(), [])
  })

  test('it keeps its transparency, and its icons have a ground on which it can be seen', async () => {
    const dark = await idOf(await addLogo(drawDisc(256, [122, 46, 74])))
    const light = await idOf(await addLogo(drawDisc(256, [250, 250, 240])))
    const files = await db.selectFrom('picture_files').select(['name', 'body']).execute()
    const pixelsOf = async (id: string, size: number) => {
      const file = files.find(({ name }) => name === `${id}-${size}.png`)
      const bytes = new Uint8Array(Buffer.from(file?.body ?? '', 'base64'))
      const inspected = inspectPicture(bytes)
      assert.deepEqual(inspected, { format: 'png', width: size, height: size })
      return (await decoders.png(bytes))?.data ?? new Uint8ClampedArray()
    }
    for (const size of logoSizes) {
      const isIcon = size >= SMALLEST_ICON
      const corner = [...(await pixelsOf(dark, size)).subarray(0, 4)]
      assert.deepEqual(corner, isIcon ? [255, 255, 255, 255] : [0, 0, 0, 0], String(size))
      const data = await pixelsOf(dark, size)
      const middle = ((size / 2) * size + size / 2) * 4
      assert.deepEqual([...data.subarray(middle, middle + 4)], [122, 46, 74, 255], String(size))
    }
    assert.deepEqual([...(await pixelsOf(light, 180)).subarray(0, 4)], [15, 46, 61, 255])
    const { pictures: listed, usedBytes } = await editor.call(pictures.list, {})
    const stored = files.reduce((sum, { body }) => sum + Buffer.from(body, 'base64').length, 0)
    assert.equal(usedBytes, stored, 'the quota counts its sizes')
    assert.equal(listed.length, 2)
    const again = await addLogo(drawDisc(256, [122, 46, 74]))
    assert.equal(await idOf(again), dark, 'the same file is the same logo')
  })

  test('strangers get it once it is live, on every node, and nobody deletes it then', async () => {
    const id = await idOf(await addLogo(drawDisc(256, [122, 46, 74])))
    assert.equal((await open(logoUrl(id, 32), null)).status, 404)
    const own = await open(logoUrl(id, 32), viewer)
    assert.deepEqual([own.status, own.headers.get('cache-control')], [200, 'no-store'])
    await saveDraft(siteId, { ...siteBody, brand: { logo: { picture: id } } })
    assert.equal((await open(logoUrl(id, 32), null)).status, 404)
    assert.equal((await admin.send('DELETE', `/api/content/pictures/${id}`, {})).status, 409)

    await publish({ logo: { picture: id } })
    await until(async () => (await open(logoUrl(id, 32), null)).status === 200)
    for (const size of logoSizes) {
      const reply = await open(logoUrl(id, size), null)
      assert.equal(reply.status, 200, String(size))
      assert.equal(reply.headers.get('content-type'), 'image/png')
      assert.equal(reply.headers.get('cache-control'), 'public, max-age=31536000, immutable')
      assert.equal(reply.headers.get('x-content-type-options'), 'nosniff')
    }
    for (const other of [33, 480])
      assert.equal((await open(`/pictures/${id}-${other}.png`, null)).status, 404)
    for (const path of ['/', '/auth', '/dashboard', '/nowhere']) {
      await until(async () => (await (await open(path, null)).text()).includes(logoUrl(id, 16)))
      const html = await (await open(path, null)).text()
      assert.match(html, new RegExp(`rel="apple-touch-icon" href="${logoUrl(id, 180)}"`), path)
      assert.match(html, new RegExp(`\\.logo-mark\\{background:url\\(${logoUrl(id, 64)}\\)`), path)
      assert.doesNotMatch(html, /favicon|:root\{/, path)
    }
    const manifest = await (await open('/site.webmanifest', null)).json()
    assert.deepEqual(
      manifest.icons.map(({ src }: { src: string }) => src),
      [logoUrl(id, 192), logoUrl(id, 512)],
    )
    assert.match(
      await (await open('/dashboard', null)).text(),
      /data-site-name="[^"]+"/,
      'the portal is theirs',
    )
    const refused = await admin.send('DELETE', `/api/content/pictures/${id}`, {})
    assert.equal(refused.status, 409)
    assert.match(JSON.stringify(await refused.json()), /picture_in_use/)
  })

  test('browsers, phones and networks get it at the addresses that they know, until it goes', async () => {
    const id = (await open('/site.webmanifest', null).then(reply => reply.json())).icons[0].src.slice(10, 42)
    const read = async (path: string) => {
      const reply = await open(path, null)
      const type = reply.headers.get('content-type')
      return { type, reply, bytes: new Uint8Array(await reply.arrayBuffer()) }
    }
    const sizeAt = async (path: string) => inspectPicture((await read(path)).bytes)
    for (const [path, size] of [
      ['/apple-touch-icon.png', 180],
      ['/icon-192.png', 192],
      ['/icon-512.png', 512],
    ] as const)
      assert.deepEqual((await read(path)).bytes, (await read(logoUrl(id, size))).bytes, path)
    const share = await read('/share.png')
    assert.partialDeepStrictEqual(inspectPicture(share.bytes), { format: 'png', ...LOGO_SHARED })
    assert.equal(share.reply.headers.get('cross-origin-resource-policy'), 'cross-origin')
    const ico = await read('/favicon.ico')
    assert.equal(ico.type, 'image/x-icon')
    const view = Buffer.from(ico.bytes)
    assert.deepEqual([view.readUInt16LE(2), view.readUInt16LE(4)], [1, 2])
    for (const [at, size] of [
      [6, 16],
      [22, 32],
    ] as const) {
      const [length, offset] = [view.readUInt32LE(at + 8), view.readUInt32LE(at + 12)]
      assert.deepEqual([view[at], view[at + 1]], [size, size])
      const inside = new Uint8Array(view.subarray(offset, offset + length))
      assert.deepEqual(inside, (await read(logoUrl(id, size))).bytes)
    }
    assert.match(
      await (await open('/favicon.svg', null)).text(),
      /^<svg[^>]*><image [^>]*data:image\/png;base64/,
    )

    const photo = await (await upload(editor, await drawJpeg(64, 48))).json()
    const { width, height } = photo.picture
    const socialPicture = {
      picture: photo.picture.id,
      alt: 'Us',
      width,
      height,
      focus: 5,
      decoration: false,
    }
    const logo = { picture: id }
    await publishSite(testApp, editor, {
      site: SiteBody.parse({ ...siteBody, brand: { logo }, socialPicture }),
      facts: [],
    })
    await until(async () => (await read('/share.png')).type === 'image/jpeg')
    await publish(undefined)
    await until(async () => (await read('/share.png')).type === 'image/png')
    assert.equal((await read('/favicon.ico')).bytes.length, (await readFile('public/favicon.ico')).length)
    assert.doesNotMatch(await (await open('/dashboard', null)).text(), /data-site-name/)
    assert.deepEqual(
      await sizeAt('/share.png'),
      inspectPicture(new Uint8Array(await readFile('public/share.png'))),
    )
    await publish({ logo })
    await until(async () => (await (await open('/', null)).text()).includes(logoUrl(id, 16)))
  })

  test('an email has the logo attached and fetches nothing; once it is deleted, the email goes without', async () => {
    const id = (await open('/site.webmanifest', null).then(reply => reply.json())).icons[0].src.slice(10, 42)
    const { mail, emailSignature, settings } = testApp.services
    const email = renderEmail(
      { to: 'mai@visitor.test', subject: 'One', opening: 'Hello' },
      emailSignature('Keel'),
    )
    await mail.send(email, 5000)
    const sent = await testApp.mailServer.next(it => it.subject === 'One')
    assert.match(sent.html ?? '', /<img src="cid:logo@brand"[^>]*background:#ffffff">Keel<\/p>/)
    assert.doesNotMatch(sent.html ?? '', /src="(?!cid:)|url\(|<style/)
    const logo = Buffer.from(await (await open(logoUrl(id, 64), null)).arrayBuffer())
    assert.deepEqual(
      sent.attachments.map(({ contentId, mimeType, disposition, content: bytes }) => [
        ...[contentId, mimeType, disposition],
        typeof bytes === 'string' ? bytes : Buffer.from(new Uint8Array(bytes)).equals(logo),
      ]),
      [['<logo@brand>', 'image/png', 'inline', true]],
    )
    await settings.write('mailchimp_transactional_api_key', MAIL_KEY)
    await mail.send(email, 5000)
    assert.deepEqual(mailchimp.messages.at(-1)?.images, [
      { type: 'image/png', name: 'logo@brand', content: logo.toString('base64') },
    ])
    await settings.write('mailchimp_transactional_api_key', '')

    await publish(undefined)
    await admin.call(pictures.delete, { id })
    await mail.send({ ...email, subject: 'Two' }, 5000)
    const late = await testApp.mailServer.next(it => it.subject === 'Two')
    assert.doesNotMatch(late.html ?? '', /<img/)
    assert.match(late.html ?? '', />Keel<\/p>/)
    assert.deepEqual(late.attachments, [])
    await until(async () => (await open(logoUrl(id, 32), null)).status === 404)
  })

  test('a logo that is not one, or is gone, cannot be published, and its address gets into no page', async () => {
    const { picture } = await (await upload(editor, drawPng(300, 300, 0))).json()
    const attempt = async (logo: object) => {
      await saveDraft(siteId, { ...siteBody, brand: { logo } })
      const { revision } = (await editor.call(content.open, { id: siteId })).draft
      const reply = await editor.send('POST', `/api/content/${siteId}/publish`, { revision, overrides: [] })
      assert.equal(reply.status, 400)
      return JSON.stringify(await reply.json())
    }
    assert.match(await attempt({ picture: picture.id }), /brand\.logo\.picture.*This picture is no logo/)
    assert.match(await attempt({ picture: 'a'.repeat(32) }), /brand\.logo\.picture.*deleted/)
    const hostile = 'x);}body{background:url(//evil.test)'
    assert.match(await attempt({ picture: hostile }), /Choose a logo/)
    testApp.wait(60_000)
    assert.doesNotMatch(await (await open(`/preview/${siteId}/`, editor)).text(), /evil|<style/)
  })
})
