import { startPostgres } from '../../scripts/postgres.ts'
import { mutations } from './mutations.ts'
import { runMutations } from './run-mutations.ts'

/**
 * Removes one defence after another from a copy of the last commit, and expects a test or a fault run to fail each time:
 * `npm run test:mutations`, `npm run test:mutations -- code session`. Arguments choose defences whose name contains one
 * of them. A defence whose removal nothing detects is printed, and fails the run.
 */
const wanted = process.argv.slice(2)
const chosen = mutations.filter(({ name }) => wanted.length === 0 || wanted.some(part => name.includes(part)))
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())

const needsPostgres = chosen.some(mutation => 'test' in mutation && mutation.onPostgres)
const given = process.env.TEST_DATABASE_URL
const postgres = given || !needsPostgres ? null : await startPostgres()
try {
  const options = { databaseUrl: given ?? postgres?.url, seed: '1', signal: stopping.signal }
  process.exitCode = (await runMutations(chosen, options)) ? 0 : 1
} finally {
  postgres?.stop()
}
process.exit()
