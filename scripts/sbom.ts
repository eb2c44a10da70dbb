import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import * as z from 'zod/mini'

/**
 * Writes the software bill of materials of what runs in production, as CycloneDX: npm run sbom -- FILE. It is made of
 * package-lock.json alone, and the same lock file gives the same bytes.
 */
const Component = z.looseObject({
  'bom-ref': z.string(),
  properties: z.array(z.object({ name: z.string(), value: z.string() })),
})
const Sbom = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({ name: z.string() }) }),
  components: z.array(Component),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
})
type Sbom = z.output<typeof Sbom>

const [path = 'build/sbom.cdx.json'] = process.argv.slice(2)
if (path.startsWith('-')) {
  process.stderr.write('Where to? npm run sbom -- FILE\n')
  process.exit(1)
}
const options = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application']
const { status, stdout, stderr } = spawnSync('npm', ['sbom', '--package-lock-only', ...options], {
  encoding: 'utf8',
  maxBuffer: Number.POSITIVE_INFINITY,
  shell: process.platform === 'win32',
})
if (status !== 0) throw new Error(stderr)
const text = JSON.stringify(makeReproducible(omitDevelopment(Sbom.parse(JSON.parse(stdout)))), null, 2)
mkdirSync(dirname(path), { recursive: true })
writeFileSync(path, `${text}\n`)
process.stdout.write(`${path}\n`)

/** npm's own `--omit dev` leaves out every package that a development tool needs too, such as nodemailer. */
function omitDevelopment({ components, dependencies, ...rest }: Sbom): Sbom {
  const isDevelopment = ({ properties }: z.output<typeof Component>) =>
    properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true')
  const left = new Set(components.filter(isDevelopment).map(component => component['bom-ref']))
  return {
    ...rest,
    components: components.filter(component => !isDevelopment(component)),
    dependencies: dependencies
      .filter(({ ref }) => !left.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(it => !left.has(it)) })),
  }
}

/** npm puts in the time, a random number, and the name of the folder. */
function makeReproducible({ metadata, ...rest }: Sbom) {
  const { timestamp: _, ...reproducible } = metadata
  const component = { ...reproducible.component, name: 'landfall' }
  const content = { ...rest, metadata: { ...reproducible, component } }
  const hash = createHash('sha256')
    .update(JSON.stringify({ ...content, serialNumber: '' }))
    .digest('hex')
  const parts = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(hash)?.slice(1) ?? []
  const [a, b, c, d, e] = parts
  // A UUID of version 8, whose bits the application may choose.
  return { ...content, serialNumber: `urn:uuid:${a}-${b}-8${c}-8${d}-${e}` }
}
