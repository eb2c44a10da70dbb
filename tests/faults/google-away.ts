import { createServer } from 'node:http'
import { median } from '../../bench/table.ts'
import { openMailSink } from '../support/smtp-sink.ts'
import { allowedTime, type Fault, type FaultRun } from './fault.ts'
import { compareWithDatabase, openLoadRecorder } from './load-recorder.ts'
import { openNode, sendEnquiry } from './node.ts'

/** Milliseconds; the verifier has a timeout of three seconds. */
const MAX_TIME = 4000
type Behaviour = 'refuse' | 'hang' | 'fail' | 'garbage'

export const googleAway: Fault = {
  name: 'F18',
  title: 'Google closes the connection, hangs, fails or sends garbage',
  engines: ['SQLite'],
  async execute(run) {
    const recorder = openLoadRecorder()
    const failures: string[] = []
    const behaviours: Behaviour[] = ['refuse', 'hang', 'fail', 'garbage']
    let lost = 0
    for (const behaviour of behaviours) {
      if (run.signal.aborted || failures.length > 0) break
      run.showProgress(behaviour)
      lost += await sendWithout(behaviour, run, recorder, failures)
    }
    const acknowledged = recorder.acknowledged.size
    return { cycles: behaviours.length, acknowledged, lost, duplicated: 0, failures }
  },
}

async function sendWithout(
  behaviour: Behaviour,
  run: FaultRun,
  { acknowledged }: ReturnType<typeof openLoadRecorder>,
  failures: string[],
) {
  let calls = 0
  const google = createServer((request, response) => {
    calls++
    if (behaviour === 'refuse') return request.socket.destroy()
    if (behaviour === 'fail') response.statusCode = 500
    if (behaviour !== 'hang') response.end('<html>Sorry</html>')
  })
  await new Promise<void>(resolve => google.listen(0, '127.0.0.1', resolve))
  const address = google.address()
  const recaptchaUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`
  const mail = await openMailSink()
  const node = await openNode({ databaseUrl: await run.createDatabase(), smtpUrl: mail.url, recaptchaUrl })
  const own = openLoadRecorder()
  await node.services.settings.write('recaptcha_enabled', 'true')
  await node.services.settings.write('recaptcha_secret_key', '6LeIxAcTAAAAAGG-vFI1TnRWxMZNFuojJ4WifJWe')
  // The breaker must not close before all are sent.
  node.time.freeze()
  const times: number[] = []
  for (let number = 0; number < 10; number++) {
    const begin = performance.now()
    own.acknowledged.set(`${number}`, await sendEnquiry(node, number, { token: `token-${number}` }))
    times.push(performance.now() - begin)
  }
  // The first five waited for the verifier; then the breaker was open.
  const [waited, usual] = [median(times.slice(0, 5)), median(times.slice(5))]
  if (waited > allowedTime(MAX_TIME, usual)) failures.push(`enquiries took ${Math.round(waited)} ms`)
  const marks = await node.services.db.selectFrom('messages').select('verification').execute()
  if (marks.some(({ verification }) => !verification.startsWith('unverified:')))
    failures.push('an enquiry was not marked as unverified')
  if (calls !== 5) failures.push(`${behaviour}: called ${calls} times, and the breaker opens after 5`)
  await node.services.outbox.stop()
  const { lost } = await compareWithDatabase(own, node)
  for (const [key, reference] of own.acknowledged) acknowledged.set(`${behaviour} ${key}`, reference)
  await node.close()
  await mail.close()
  google.closeAllConnections()
  google.close()
  return lost
}
