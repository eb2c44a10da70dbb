import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { drawJpeg, drawPng, upload } from '../../tests/support/pictures.ts'
import { stopwatch } from '../../tests/support/processor-time.ts'
import { createStaff, signInAs } from '../../tests/support/staff.ts'
import { openTestApp } from '../../tests/support/test-app.ts'
import { until } from '../../tests/support/until.ts'
import { addPicture } from '../features/pictures/add-picture.server.ts'
import { CHILD_OPTIONS, encodeInChild } from './child-process.server.ts'
import { writeOutcome } from './encoded.ts'
import { createPictureEncoder, MAX_PLACES, readOutcome } from './encoder.server.ts'

const skip = process.platform !== 'linux' && 'Only Linux lists the children of a process'

suite('The process that encodes a picture', async () => {
  const testApp = await openTestApp()
  const { db, pictures, flushLog } = testApp.services
  const editor = await signInAs(testApp, (await createStaff(testApp, 'editor')).email)
  const stored = async () => (await db.selectFrom('pictures').select('id').execute()).length

  /** The ids of the processes that encode now. */
  const running = () =>
    readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
      .split(' ')
      .filter(pid => pid.trim() && /encode-picture/.test(readCommand(pid)))
      .map(Number)

  test('it may read its own code and nothing else, and start or write nothing (W17)', () => {
    const attempts = {
      'a file': "fs.readFileSync('/etc/passwd')",
      'the database': `fs.readFileSync('${testApp.services.config.dataDir}/landfall.sqlite')`,
      'a file to write': "fs.writeFileSync('/tmp/landfall-written', '')",
      'a process': "child_process.spawnSync('/bin/true')",
      'a thread': "new worker_threads.Worker('', { eval: true })",
      'native code': "process.dlopen({ exports: {} }, '/tmp/none.node')",
    }
    for (const [what, code] of Object.entries(attempts)) {
      const { status, stderr } = spawnSync(process.execPath, [...CHILD_OPTIONS, '--eval', code], { env: {} })
      assert.notEqual(status, 0, what)
      assert.match(String(stderr), /ERR_ACCESS_DENIED|ERR_DLOPEN_DISABLED/, what)
    }
  })

  test('it gets no environment, and works for one upload at a time (W17)', { skip }, async () => {
    const uploads = [drawJpeg(200, 150), drawJpeg(200, 150)].map(
      async bytes => await upload(editor, await bytes),
    )
    let most = 0
    let hasEnded = false
    const all = Promise.all(uploads).finally(() => {
      hasEnded = true
    })
    while (!hasEnded) {
      const pids = running()
      most = Math.max(most, pids.length)
      for (const pid of pids) assert.equal(readEnvironment(pid), '')
      await sleep(10)
    }
    assert.deepEqual(
      (await all).map(({ status }) => status),
      [201, 201],
    )
    assert.equal(most, 1)
  })

  test('when it is killed, the upload is refused and nothing is stored (W18)', { skip }, async () => {
    const before = await stored()
    const uploading = upload(editor, await drawJpeg(900, 600))
    await until(() => running().length > 0)
    for (const pid of running()) process.kill(pid, 'SIGKILL')
    const reply = await uploading
    assert.equal(reply.status, 503)
    assert.equal((await reply.json()).message, 'This picture could not be converted. Please try again.')
    assert.equal(await stored(), before)
    await flushLog()
    const logged = db.selectFrom('logs').select('details').where('message', '=', 'Picture not encoded')
    assert.match((await logged.executeTakeFirstOrThrow()).details, /SIGKILL/)
    assert.equal((await upload(editor, drawPng(64, 48))).status, 201)
  })

  test('when it takes too long, it is killed and the upload is refused (W18)', { skip }, async () => {
    const impatient = createPictureEncoder((bytes, signal, throttle) =>
      encodeInChild(bytes, signal, throttle, 1),
    )
    const before = await stored()
    const services = { ...testApp.services, pictures: { ...pictures, encoder: impatient } }
    const call = { user: { id: '1', name: 'Robin' }, log: testApp.services.log }
    await assert.rejects(addPicture(services, drawPng(64, 48), call, 'picture'), {
      status: 400,
      message: 'This picture takes too long to convert. Make it smaller first.',
    })
    assert.deepEqual(running(), [])
    assert.equal(await stored(), before)
  })

  test('it stops while a request is answered, but not for a slow one', { skip }, async () => {
    const { encoder } = pictures
    const uploading = upload(editor, await drawJpeg(901, 600))
    await until(() => running().length > 0)
    const slow = Promise.withResolvers<void>()
    const answered = encoder.whileAnswering(() => slow.promise)
    const watch = stopwatch()
    // Without a turn of the event loop, in which it could go on before anybody looks.
    while (!running().some(isStopped)) assert.ok(watch.passed() < 10_000)
    await until(() => !running().some(isStopped))
    // A tenth of a second for each request, and not the fifteen seconds of all.
    assert.ok(watch.passedAtRest() < 10_000)
    assert.equal((await uploading).status, 201)
    slow.resolve()
    await answered
  })

  test('an output that is not whole is not believed (W18)', () => {
    const avif = Buffer.from('0000001c66747970617669660000000061766966', 'hex')
    const webp = Buffer.from('RIFF0000WEBPVP8 ')
    const jpeg = Buffer.from('ffd8ffe0', 'hex')
    const file = (format: 'avif' | 'webp' | 'jpg', bytes: Buffer) => ({ width: 64, format, bytes })
    const files = [file('avif', avif), file('webp', webp), file('jpg', jpeg)]
    const whole = writeOutcome({ width: 64, height: 48, files })
    assert.deepEqual(readOutcome(whole), { width: 64, height: 48, files })
    for (let length = 0; length < whole.length; length++)
      assert.throws(() => readOutcome(whole.subarray(0, length)))
    assert.throws(() => readOutcome(Buffer.concat([whole, Buffer.from([0])])))
    const others = [
      [...files].reverse(),
      files.slice(1),
      [file('avif', Buffer.from('<html>')), file('webp', webp), file('jpg', jpeg)],
    ]
    for (const other of others)
      assert.throws(() => readOutcome(writeOutcome({ width: 64, height: 48, files: other })))
  })

  test('a place is taken before an upload is read, and there are few (W15)', () => {
    const encoder = createPictureEncoder()
    const places = Array.from({ length: MAX_PLACES }, (_, at) => encoder.acquireSlot(`user ${at % 2}`))
    assert.ok(places.every(Boolean))
    assert.equal(encoder.acquireSlot('another'), null)
    places[0]?.()
    assert.equal(encoder.acquireSlot('user 1'), null, 'who has as many as one may')
    assert.notEqual(encoder.acquireSlot('user 0'), null)
  })

  // The last one, since nothing is encoded after it.
  test('it ends with the server, and the upload is refused (W18)', { skip }, async () => {
    const before = await stored()
    const uploads = [drawJpeg(900, 600), drawJpeg(900, 600)].map(
      async bytes => await upload(editor, await bytes),
    )
    await until(() => running().length > 0)
    await pictures.encoder.close()
    assert.deepEqual(running(), [])
    assert.deepEqual(
      (await Promise.all(uploads)).map(({ status }) => status),
      [503, 503],
    )
    assert.equal(await stored(), before)
  })
})

function readCommand(pid: string): string {
  try {
    return readFileSync(`/proc/${pid.trim()}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

/** Empty as well once the process has ended. */
function readEnvironment(pid: number): string {
  try {
    readlinkSync(`/proc/${pid}/exe`)
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
  } catch {
    return ''
  }
}

const isStopped = (pid: number) => / T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
