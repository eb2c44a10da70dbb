import pg from 'pg'
import { openMailSink } from '../support/smtp-sink.ts'
import { type Fault, type FaultRun, skipped, waitUntil } from './fault.ts'
import { compareWithDatabase, type LoadRecorder, openLoadRecorder, startLoad } from './load-recorder.ts'
import { installProduct, type Product } from './product.ts'

const CLIENTS = 4
/** Enquiries that arrive before the base backup, after it, and after the time to which the database is recovered. */
const MORE = 20

/** As docs/operations.md says. The archive and the base backup are beside the data of the server. */
const ARCHIVE = `mkdir -p -m 700 archive
cat >> data/postgresql.auto.conf <<END
archive_mode = on
archive_command = 'test ! -f $PWD/archive/%f && cp %p $PWD/archive/%f'
END`
const BASE = 'rm -rf base; pg_basebackup --pgdata=base --checkpoint=fast --dbname='
/** The crashed server's own log has what was not archived yet. */
const recovery = (time: string) => `rm -rf old; mv data old; mv base data; cp old/pg_wal/0* data/pg_wal/
cat >> data/postgresql.auto.conf <<END
restore_command = 'cp $PWD/archive/%f %p'
recovery_target_time = '${time}'
recovery_target_action = 'promote'
END
touch data/recovery.signal`

/** PostgreSQL's own archiving restores every enquiry up to the chosen moment, in the middle of a load. */
export const recoveredToTime: Fault = {
  name: 'F15-PITR',
  title: 'a crash, then recovery to a time from a base backup and archived WAL',
  engines: ['PostgreSQL'],
  async execute(run) {
    if (!run.postgres) return skipped('PostgreSQL is not installed here')
    run.postgres.shutDown()
    run.postgres.runScript(ARCHIVE)
    run.postgres.start()
    const databaseUrl = await run.createDatabase()
    const mail = await openMailSink()
    const product = await installProduct({ databaseUrl, smtpUrl: mail.url })
    const recorder = openLoadRecorder()
    const cycles = run.cycles(1, 5)
    const sum = { lost: 0, duplicated: 0, failures: [] as string[] }
    let cycle = 0
    for (; cycle < cycles && !run.signal.aborted; cycle++) {
      run.showProgress(`${cycle + 1} of ${cycles}`)
      await recover(run, product, recorder, sum)
    }
    await product.close()
    await mail.close()
    return { ...sum, cycles: cycle, acknowledged: recorder.statuses.get(201) ?? 0 }
  },
}

async function recover(
  { postgres }: FaultRun,
  product: Product,
  recorder: LoadRecorder,
  sum: { lost: number; duplicated: number; failures: string[] },
) {
  const { databaseUrl, dataDir } = product
  if (!postgres || !databaseUrl) return
  await product.start()
  const load = startLoad(recorder, () => product.url, CLIENTS)
  const addMore = async () => {
    const enough = recorder.acknowledged.size + MORE
    if (!(await waitUntil(() => recorder.acknowledged.size >= enough)))
      sum.failures.push('no enquiries arrive')
  }
  try {
    await addMore()
    postgres.runScript(`${BASE}${databaseUrl}`)
    await addMore()
    const earlier = { acknowledged: new Map(recorder.acknowledged) }
    const time = await readOne(databaseUrl, 'select now()::text')
    await addMore()
    await load.end()
    await product.kill()
    postgres.crash()
    postgres.runScript(recovery(time))
    postgres.start()
    await waitUntil(async () => (await readOne(databaseUrl, 'select pg_is_in_recovery()::text')) === 'false')
    const { lost, duplicated } = await compareWithDatabase(earlier, { databaseUrl, dataDir })
    sum.lost += lost
    sum.duplicated += duplicated
    const later = new Map([...recorder.acknowledged].filter(([key]) => !earlier.acknowledged.has(key)))
    const undone = await compareWithDatabase({ acknowledged: later }, { databaseUrl, dataDir })
    // Those in progress at that time may be on either side of it.
    if (later.size - undone.lost > CLIENTS)
      sum.failures.push(`${later.size - undone.lost} enquiries are of a later time`)
    for (const key of later.keys()) recorder.acknowledged.delete(key)
    await product.start()
    if ((await recorder.send(product.url)) !== 201)
      sum.failures.push('the recovered installation takes no enquiry')
    await product.kill()
  } finally {
    await load.end()
  }
}

async function readOne(connectionString: string, query: string): Promise<string> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<string[]>({ text: query, rowMode: 'array' })
    return rows[0]?.[0] ?? ''
  } finally {
    await client.end()
  }
}
