import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { postedForm } from '../../tests/support/posted-form.ts'
import { HttpError } from './http-error.ts'
import { type PostedFile, parseMultipart } from './input.ts'

async function parse(fields: Parameters<typeof postedForm>[0]) {
  const { body, headers } = await postedForm(fields)
  return await parseMultipart(body, headers['content-type'])
}

const unreadable = (error: unknown) => error instanceof HttpError && error.status === 400
const plain = (text: string) => new TextEncoder().encode(text)

suite('A form with files', () => {
  test('has its texts by name and its files in their order, and what is left empty is not given', async () => {
    const fields = await parse([
      ['message', 'Xin chào 👋\nsecond line'],
      ['empty', ''],
      ['files', new File([new Uint8Array([0, 255, 13, 10, 45, 45])], 'ảnh "1".jpg', { type: 'image/jpeg' })],
      ['files', new File(['b'], '../b.txt', { type: 'text/plain' })],
      ['none', new File([], '')],
    ])
    assert.deepEqual(Object.keys(fields), ['message', 'files'])
    assert.match(String(fields.message), /^Xin chào 👋\r?\nsecond line$/)
    const files = fields.files as PostedFile[]
    assert.deepEqual(
      files.map(({ name, type, bytes }) => [name, type, [...bytes]]),
      [
        ['ảnh "1".jpg', 'image/jpeg', [0, 255, 13, 10, 45, 45]],
        ['../b.txt', 'text/plain', [98]],
      ],
    )
  })

  test('is refused with thousands of parts, without a boundary, broken off, and as something else', async () => {
    const part = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n'
    const type = 'multipart/form-data; boundary=b'
    assert.ok(await parseMultipart(plain(`${part.repeat(50)}--b--\r\n`), type))
    const begun = performance.now()
    await assert.rejects(parseMultipart(plain(`${part.repeat(200_000)}--b--\r\n`), type), unreadable)
    const one = performance.now() - begun
    assert.ok(one < 1000, `it took ${one} ms to refuse`)
    for (const [body, as] of [
      // Others would read another boundary than the one whose parts were counted.
      [`${part.replaceAll('--b', '--a')}--a--\r\n`, 'multipart/form-data; boundary="\\a"'],
      [`${part}--b--\r\n`, `${type}; boundary=c`],
      [`${part}--b--\r\n`, 'multipart/form-data'],
      [part, type],
      ['{"a":1}', type],
      ['', type],
    ] as const)
      await assert.rejects(parseMultipart(plain(body), as), unreadable, `${as}: ${body.slice(0, 20)}`)
  })

  test('has short texts, as other forms do', async () => {
    await assert.rejects(
      parse([['a', 'x'.repeat(65_537)]]),
      (error: unknown) => error instanceof HttpError && error.status === 413,
    )
    assert.ok(await parse([['a', 'x'.repeat(65_536)]]))
  })

  test('names no property that objects have by themselves', async () => {
    const fields = await parse([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ])
    assert.deepEqual(Object.entries(fields), [
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ])
    assert.equal(({} as { x?: string }).x, undefined)
  })
})
