// Plain JavaScript for the same reason as set-up.mjs, which runs this before it runs the Node that came with the packages.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Says which file was checked, so that its 120 MB are read once per install. */
const CHECKED = '.landfall-node-checked'

/**
 * Compares the Node of node_modules with the SHA-256 that node-digests.json has for it.
 * @returns what is wrong with it, as one line, or null.
 */
export function findNodeFault(root) {
  const { version, sha256 } = JSON.parse(readFileSync(join(root, 'scripts', 'node-digests.json'), 'utf8'))
  for (const [name, expected] of Object.entries(sha256)) {
    const path = join(root, 'node_modules', name, 'bin', name.includes('-win-') ? 'node.exe' : 'node')
    if (!existsSync(path)) continue
    const checked = join(root, 'node_modules', CHECKED)
    const state = describe(path, expected)
    if (existsSync(checked) && readFileSync(checked, 'utf8') === state) continue
    const found = createHash('sha256').update(readFileSync(path)).digest('hex')
    if (found !== expected)
      return `${path} is not Node ${version}: its SHA-256 is ${found}, and scripts/node-digests.json has ${expected}. It was not run. Delete node_modules and try again; if the message stays, do not use this copy.`
    writeFileSync(checked, state)
  }
  return null
}

/** Changes when the file, its times or the expected digest do. */
function describe(path, expected) {
  const { size, mtimeMs, ctimeMs, ino } = statSync(path)
  return [path, expected, size, mtimeMs, ctimeMs, ino].join('\n')
}
