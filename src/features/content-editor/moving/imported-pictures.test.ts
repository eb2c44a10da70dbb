import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { OLD_SITE } from '../../../../tests/support/wordpress.ts'
import { ApiError } from '../../../http/api-client.ts'
import { createArchive, openArchive } from '../../../platform/zip.ts'
import { createPictureImport } from './imported-pictures.ts'

const uploads = `${OLD_SITE}/wp-content/uploads`

async function open(names: readonly string[], upload?: () => Promise<never>) {
  const archive = createArchive()
  for (const name of names) archive.add(name, name)
  const stored: string[] = []
  const store = async (bytes: Uint8Array) => {
    stored.push(Buffer.from(bytes).toString())
    return { id: String(stored.length).padStart(32, '0'), width: 1, height: 1 }
  }
  const redraw = async (file: Blob) => {
    const bytes = new Uint8Array(await file.arrayBuffer())
    if (Buffer.from(bytes).toString().includes('broken')) throw new Error('no picture')
    return bytes
  }
  const found = createPictureImport([await openArchive(archive.finish())], {
    redraw,
    upload: upload ?? store,
  })
  return { ...found, stored }
}

suite('Pictures of an import', () => {
  test('a picture is found whatever folder the archive was made of, in its largest size, and is stored once', async () => {
    const { find, stored, count } = await open([
      'wp-content/uploads/2021/03/a.jpg',
      'wp-content/uploads/2021/03/a-300x200.jpg',
      'uploads/2021/04/b-300x200.png',
      'backup/2021/05/Ö c.webp',
    ])
    for (const source of [`${uploads}/2021/03/a-300x200.jpg`, `${uploads}/2021/03/a.jpg?x=1`])
      await find(source)
    await find(`${uploads}/2021/04/b-300x200.png`)
    await find(`${uploads}/2021/05/%C3%96%20c.webp`)
    assert.deepEqual(
      new Set(stored),
      new Set([
        'wp-content/uploads/2021/03/a.jpg',
        'uploads/2021/04/b-300x200.png',
        'backup/2021/05/Ö c.webp',
      ]),
    )
    assert.equal(
      count([`${uploads}/2021/03/a.jpg`, `${uploads}/2021/03/other.jpg`, 'data:image/png;base64,AA==']),
      2,
    )
  })

  test('what is missing, damaged, a drawing or on another site is said to be so, and nothing is fetched', async () => {
    const { find, stored } = await open(['uploads/broken.jpg', 'uploads/drawing.svg', '../../etc/passwd'])
    assert.match(String(await find(`${uploads}/2021/gone.jpg`)), /not in the archive/)
    assert.match(String(await find(`${uploads}/broken.jpg`)), /cannot read the file as a picture/)
    assert.match(String(await find(`${uploads}/drawing.svg`)), /drawing/)
    for (const source of ['https://evil.example/x.jpg', '../../etc/passwd', 'javascript:evil()', ''])
      assert.match(String(await find(source)), /not in the archive/)
    for (const source of [
      'data:text/html;base64,AAAA',
      'data:image/svg+xml;base64,AAAA',
      'data:image/png;base64,A',
      'data:x',
    ])
      assert.match(String(await find(source)), /data: address/)
    assert.deepEqual(stored, [])
  })

  test('once there is no room, no other picture is sent, and each says why', async () => {
    let sent = 0
    const { find } = await open(['uploads/a.jpg', 'uploads/b.jpg'], async () => {
      sent++
      throw new ApiError(409, { message: 'There is no room', code: 'quota_reached' })
    })
    assert.equal(await find(`${uploads}/a.jpg`), 'There is no room')
    assert.equal(await find(`${uploads}/b.jpg`), 'There is no room')
    assert.equal(sent, 1)
  })
})
