import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'

/** Sends hostile requests: `npm run test:fuzz -- --requests 100000 --seed 42` */
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
  },
})
const { status } = spawnSync(process.execPath, ['--test-reporter=spec', 'tests/fuzz/fuzz.test.ts'], {
  stdio: 'inherit',
  env: {
    ...process.env,
    FUZZ_REQUESTS: values.requests,
    FUZZ_SEED: values.seed,
  },
})
process.exit(status ?? 1)
