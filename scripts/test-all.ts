import { spawnSync } from 'node:child_process'

/**
 * Tier 4 of the check, for before a release: everything on both engines and at length, other browsers, faults, hostile
 * requests, and the removal of each defence. It takes hours, goes on after a failure, and says at the end what failed.
 */
const steps: Record<string, readonly string[]> = {
  'all tests, on both engines': ['scripts/test.ts', '--all'],
  'defences, on both engines': ['scripts/test.ts', '--security'],
  'Firefox and WebKit': ['tests/browsers/main.ts'],
  'faults at length': ['tests/faults/main.ts', '--full'],
  'fault runs without each defence': ['tests/faults/main.ts', '--break'],
  'hostile requests': ['tests/fuzz/main.ts'],
  'removal of each defence': ['tests/mutations/main.ts'],
  ...Object.fromEntries(
    ['pages', 'enquiries', 'lists', 'conversation', 'pictures', 'live', 'bulk'].map(name => [
      `bench -- ${name}`,
      ['bench/run.ts', name],
    ]),
  ),
}

const results = Object.entries(steps).map(([name, args]) => {
  process.stdout.write(`\n${name}\n`)
  const begun = performance.now()
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  return { name, isPassed: status === 0, minutes: (performance.now() - begun) / 60_000 }
})
process.stdout.write('\n')
for (const { name, isPassed, minutes } of results)
  process.stdout.write(`${isPassed ? '✔' : '✖'} ${name} (${minutes.toFixed(1)} min)\n`)
const failed = results.filter(({ isPassed }) => !isPassed).length
process.stdout.write(`${results.length - failed} passed, ${failed} failed\n`)
process.exit(failed === 0 ? 0 : 1)
