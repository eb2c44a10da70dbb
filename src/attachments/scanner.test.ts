import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { after, suite, test } from 'node:test'
import { add, attached, replyWith } from '../../tests/support/attached-files.ts'
import { EICAR, hasClamd, openClamd } from '../../tests/support/clamd.ts'
import { signInToInbox, storeMessage } from '../../tests/support/conversation.ts'
import { composeMail, connectMailbox } from '../../tests/support/mail-in.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { until } from '../../tests/support/until.ts'
import type { Attachment } from '../features/inbox/attachments/contract.ts'
import { scan, startScanning } from './scanner.server.ts'

const streamOf = (content: string | Uint8Array<ArrayBuffer>) => new Blob([content]).stream()

/** Answers each file with this once all of it is there. With nothing, and on some words, it ends the connection. */
async function openFake(context: { after(work: () => void): void }, answer: string, crashesOn = 'nothing') {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    let received = Buffer.alloc(0)
    socket.on('data', data => {
      received = Buffer.concat([received, data])
      if (received.toString().startsWith('zPING')) socket.end(answer === '' ? '' : 'PONG\0')
      else if (answer === '' || received.includes(crashesOn)) socket.destroy()
      else if (received.subarray(-4).equals(Buffer.alloc(4))) socket.end(answer)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  context.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  return `tcp://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
}

suite('The scanner of files', { skip: !hasClamd && 'clamd is not installed here' }, async () => {
  const testApp = await openTestApp()
  const { db, clock, log } = testApp.services
  const clamd = await openClamd()
  after(clamd.close)
  const mailbox = await connectMailbox(testApp)
  const ana = await signInToInbox(testApp, 'admin')

  const scanning = async (work: () => Promise<void>, url = clamd.url) => {
    const job = startScanning({ db, clock, log, url })
    try {
      await work()
    } finally {
      await job.stop()
    }
  }

  const mailWith = (name: string, content: string) =>
    composeMail({
      headers: ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b'],
      body: [
        ...['--b', 'Content-Type: text/plain', '', 'See the file.', '--b'],
        ...['Content-Type: text/plain', `Content-Disposition: attachment; filename="${name}"`],
        ...['Content-Transfer-Encoding: base64', '', Buffer.from(content).toString('base64'), '--b--'],
      ].join('\n'),
    })

  const receive = async (mail: Buffer) => (await mailbox.receive(mail)).messageId ?? ''

  async function fileOf(id: string): Promise<Attachment | undefined> {
    return (await ana.open(id)).mail?.attachments[0]
  }

  test('clamd finds what it knows, in a file of any length, and nothing in others', async () => {
    assert.equal(await scan(clamd.url, streamOf(EICAR)), 'Ours.Eicar.UNOFFICIAL')
    assert.equal(await scan(clamd.url, streamOf('A passport')), null)
    const long = new Uint8Array(3_000_000)
    long.set(Buffer.from(EICAR), 2_500_000)
    assert.equal(await scan(clamd.url, streamOf(long)), 'Ours.Eicar.UNOFFICIAL')
    assert.equal(await scan(clamd.url, streamOf(new Uint8Array(3_000_000))), null)
  })

  test('a file in which something was found is locked: nobody downloads it, looks at it or sends it on', async () => {
    const [bad, good] = [await receive(mailWith('a.txt', EICAR)), await receive(mailWith('b.txt', 'Hello'))]
    assert.deepEqual([(await fileOf(bad))?.state, (await fileOf(bad))?.scannedAt], ['kept', null])
    await scanning(() =>
      until(async () => (await fileOf(bad))?.state === 'locked' && (await fileOf(good))?.scannedAt != null),
    )
    assert.equal((await fileOf(bad))?.found, 'Ours.Eicar.UNOFFICIAL')
    const path = `/api/messages/${bad}/attachments/${(await fileOf(bad))?.id}`
    for (const suffix of ['', '/preview']) assert.equal((await ana.browser.fetch(path + suffix)).status, 404)
    assert.equal((await ana.browser.send('POST', `${path}/copy`)).status, 404)
    const other = `/api/messages/${good}/attachments/${(await fileOf(good))?.id}`
    assert.equal((await ana.browser.fetch(other)).status, 200)
  })

  test('a file that was attached and is locked since is not sent', async () => {
    const id = await storeMessage(testApp)
    const { id: fileId } = await attached(await add(ana, id, new TextEncoder().encode(`${EICAR} `)))
    await scanning(() => until(async () => (await ana.open(id)).draftFiles?.[0]?.state === 'locked'))
    const refused = await replyWith(ana, id, [fileId])
    assert.deepEqual([refused.status, (await refused.json()).code], [409, 'file_missing'])
  })

  test('a file without an answer is passed over if the scanner works otherwise, and holds up no other', async context => {
    const good = await receive(mailWith('good.txt', 'Scanned after all'))
    const bad = await receive(mailWith('bad.txt', 'An archive that never ends'))
    const url = await openFake(context, 'stream: OK\0', 'An archive')
    await scanning(() => until(async () => (await fileOf(good))?.scannedAt != null), url)
    assert.equal((await fileOf(bad))?.scannedAt, null)
  })

  test('what the scanner cannot read is not scanned; without an answer it is asked again', async context => {
    const id = await receive(mailWith('c.txt', 'Not read'))
    const refusing = await openFake(context, 'INSTREAM size limit exceeded. ERROR\0')
    const isSaid = (words: string) => testApp.console.filter(line => line.includes(words)).length
    await scanning(() => until(async () => isSaid('A file was not scanned') > 0), refusing)
    assert.equal((await fileOf(id))?.scannedAt, null)
    const silent = await openFake(context, '')
    await scanning(() => until(async () => isSaid('Files cannot be scanned') > 0), silent)
    await scanning(() => until(async () => (await fileOf(id))?.scannedAt != null))
  })
})
