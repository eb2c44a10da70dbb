import { createServer } from 'node:http'
import { median } from '../../bench/table.ts'
import { openMailSink } from '../support/smtp-sink.ts'
import { allow, type Fault, type FaultRun } from './fault.ts'
import { compareWithDatabase, openLoadRecorder } from './load-recorder.ts'
import { openNode, sendEnquiry } from './node.ts'

/** Milliseconds; the verifier is given three seconds, and the rest is for us. */
const LONGEST = 4000
type Behaviour = 'refuse' | 'hang' | 'fail' | 'garbage'

export const googleAway: Fault = {
  name: 'F18',
  title: 'Google refuses, hangs, fails or talks nonsense',
  engines: ['SQLite'],
  async prove(run) {
    const recorder = openLoadRecorder()
    const complaints: string[] = []
    const behaviours: Behaviour[] = ['refuse', 'hang', 'fail', 'garbage']
    let lost = 0
    for (const behaviour of behaviours) {
      if (run.signal.aborted || complaints.length > 0) break
      run.tell(behaviour)
      lost += await sendWithout(behaviour, run, recorder, complaints)
    }
    const acknowledged = recorder.acknowledged.size
    return { cycles: behaviours.length, acknowledged, lost, duplicated: 0, complaints }
  },
}

async function sendWithout(
  behaviour: Behaviour,
  run: FaultRun,
  { acknowledged }: ReturnType<typeof openLoadRecorder>,
  complaints: string[],
) {
  let asked = 0
  const google = createServer((request, response) => {
    asked++
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
  // The breaker's pause must not be over before all are sent.
  node.time.freeze()
  const times: number[] = []
  for (let number = 0; number < 10; number++) {
    const begin = performance.now()
    own.acknowledged.set(`${number}`, await sendEnquiry(node, number, { token: `token-${number}` }))
    times.push(performance.now() - begin)
  }
  // The first five waited for the verifier, the others did not.
  const [waited, usual] = [median(times.slice(0, 5)), median(times.slice(5))]
  if (waited > allow(LONGEST, usual)) complaints.push(`enquiries took ${Math.round(waited)} ms`)
  const marks = await node.services.db.selectFrom('messages').select('verification').execute()
  if (marks.some(({ verification }) => !verification.startsWith('unverified:')))
    complaints.push('an enquiry was not marked as unverified')
  if (asked !== 5) complaints.push(`${behaviour}: asked ${asked} times, and the breaker opens after 5`)
  await node.services.outbox.stop()
  const { lost } = await compareWithDatabase(own, node)
  for (const [key, reference] of own.acknowledged) acknowledged.set(`${behaviour} ${key}`, reference)
  await node.close()
  await mail.close()
  google.closeAllConnections()
  google.close()
  return lost
}
