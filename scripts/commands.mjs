// The npm scripts: `npm run NAME` runs `node scripts/run.mjs NAME`.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The image and the service run the same. Decision 017 has the reasons. */
const server = JSON.parse(readFileSync(join(import.meta.dirname, 'server.json'), 'utf8'))
const removeBuild = ['--eval', "fs.rmSync('build', { recursive: true, force: true })"]

/**
 * What Node runs for each, one after the other, and what is in a list of its own together; the last gets the arguments.
 * `needsBuild` makes sure that `build` is what the sources give.
 */
export const commands = {
  start: { needsBuild: true, env: server.env, steps: [server.args] },
  dev: { steps: [['scripts/dev.ts']] },
  build: { steps: [removeBuild, ['node_modules/vite/bin/vite.js', 'build', '--app']] },
  check: {
    needsBuild: true,
    steps: [
      [
        // It waits for the network while the others compute.
        ['scripts/install-programs.ts'],
        ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings'],
        ['node_modules/typescript/bin/tsc'],
        ['node_modules/knip/bin/knip.js'],
      ],
      ['scripts/test.ts'],
    ],
  },
  test: { needsBuild: true, steps: [['scripts/test.ts']] },
  'test:e2e': { needsBuild: true, steps: [['scripts/test.ts', '--e2e']] },
  'test:all': { needsBuild: true, steps: [['scripts/test-all.ts']] },
  'test:browsers': { needsBuild: true, steps: [['tests/browsers/main.ts']] },
  'test:security': { needsBuild: true, steps: [['scripts/test.ts', '--security']] },
  'test:faults': { needsBuild: true, steps: [['tests/faults/main.ts']] },
  'test:fuzz': { steps: [['tests/fuzz/main.ts']] },
  'test:mutations': { needsBuild: true, steps: [['tests/mutations/main.ts']] },
  bench: { needsBuild: true, steps: [['bench/run.ts']] },
  seed: { steps: [['scripts/seed.ts']] },
  backup: { steps: [['scripts/backup.ts']] },
  restore: { steps: [['scripts/restore.ts']] },
  copy: { steps: [['scripts/copy.ts']] },
  erase: { steps: [['scripts/erase.ts']] },
  person: { steps: [['scripts/person.ts']] },
  'erase:again': { steps: [['scripts/erase-again.ts']] },
  'staff:code': { steps: [['scripts/staff-code.ts']] },
  'staff:password': { steps: [['scripts/staff-password.ts']] },
  'staff:email': { steps: [['scripts/staff-email.ts']] },
  fonts: { steps: [['scripts/fonts.ts']] },
  icons: { steps: [['scripts/icons.ts']] },
  pictures: { needsBuild: true, steps: [['scripts/pictures.ts']] },
  'editing:pictures': { needsBuild: true, steps: [['scripts/editing-pictures.ts']] },
  'pin:node': { steps: [['scripts/pin-node.ts']] },
  sbom: { steps: [['scripts/sbom.ts']] },
}
