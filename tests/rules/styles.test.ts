import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { suite, test } from 'node:test'

const LAYERS = ['tokens', 'base', 'components', 'features', 'print']
/** Pixels at which a layout changes. `ui/styles/tokens.css` says what each is for; media queries cannot use its properties. */
const BREAKPOINTS = ['560px', '700px', '800px', '900px', '1024px', '1200px', '1344px', '1440px']
/** One stylesheet for each kind of document. They only import, and nothing else is loaded by a script. */
const scripted = ['src/entries/site.css', 'src/entries/sign-in.css', 'src/entries/portal.css']
/** Of some public pages beside those of all. */
const further = ['src/entries/status.css']
const entries = [...scripted, ...further]
const sheets = globSync('src/**/*.css').filter(path => !entries.includes(path))
const imports = entries.flatMap(entry => readImports(entry))
const sources = globSync('src/**/*.{ts,tsx}').filter(path => !path.includes('.test.'))

suite('The styles', () => {
  test('every stylesheet is imported into the layer of its folder', () => {
    for (const { path, layer } of imports) assert.equal(layer, layerOf(path), path)
    assert.deepEqual([...new Set(imports.map(({ path }) => path))].sort(), sheets.sort())
  })

  test('the imports of the stylesheets establish one order of layers', () => {
    for (const entry of entries) {
      const layers = [...new Set(readImports(entry).map(({ layer }) => layer))]
      assert.deepEqual(
        layers,
        LAYERS.filter(layer => layers.includes(layer)),
        entry,
      )
      assert.equal(
        rulesOf(entry)
          .replaceAll(/@import[^;]*;/g, '')
          .trim(),
        '',
        `${entry} has rules of its own`,
      )
    }
    const loaded = sources.flatMap(path => read(path).match(/^import '.*\.css'$/gm) ?? [])
    assert.deepEqual(
      [...new Set(loaded)].sort(),
      scripted.map(entry => `import './${posix.basename(entry)}'`).sort(),
    )
  })

  test('the styles of a feature name its classes after its folder, and style no other feature', () => {
    const shared = new Set(sheets.filter(path => !featureOf(path)).flatMap(classesOf))
    for (const path of sheets) {
      const feature = featureOf(path)
      const foreign = classesOf(path).filter(name => feature && !isOf(feature, name) && !shared.has(name))
      assert.deepEqual(foreign, [], path)
    }
    const features = new Set(sheets.flatMap(path => featureOf(path) ?? []))
    assert.deepEqual(
      [...shared].filter(name => [...features].some(feature => name.startsWith(`${feature}-`))),
      [],
    )
  })

  test('no style of a public page names left or right, so that it turns round in a right-to-left language (found V9)', () => {
    const physical =
      /(?:margin|padding|border)-(?:left|right)|^\s*(?:left|right):|(?:text-align|float): (?:left|right)/
    const read = entries.filter(entry => entry !== 'src/entries/portal.css').flatMap(readImports)
    for (const { path } of read) {
      const lines = rulesOf(path).split('\n')
      assert.deepEqual(
        lines.filter(line => physical.test(line) || hasUnequalSides(line)),
        [],
        path,
      )
    }
    assert.ok(physical.test('  margin-left: 4px;') && hasUnequalSides('  inset: 8px auto auto 8px;'))
    assert.ok(!hasUnequalSides('  inset: auto calc(1px + 2px) 0 calc(1px + 2px);'))
  })

  test('every styled class is used by a component', () => {
    const code = sources.map(read).join('\n')
    const words = new Set(code.match(/[\w-]+/g))
    const prefixes = [...code.matchAll(/([\w-]+-)\$\{/g)].map(([, prefix = '']) => prefix)
    const unused = sheets
      .flatMap(classesOf)
      .filter(name => !words.has(name) && !prefixes.some(prefix => name.startsWith(prefix)))
    assert.deepEqual(unused, [])
  })

  test('the layout changes only at the listed widths', () => {
    const conditions = sheets.flatMap(path => rulesOf(path).match(/@media[^{]*/g) ?? [])
    const widths = conditions.flatMap(condition => condition.match(/[\d.]+(?:px|r?em)/g) ?? [])
    assert.deepEqual([...new Set(widths)].sort(byNumber), BREAKPOINTS)
    for (const width of BREAKPOINTS)
      assert.ok(read('src/ui/styles/tokens.css').includes(` ${width}: `), width)
  })

  test('a colour that is used twice is a token', () => {
    const colours = sheets
      .filter(path => layerOf(path) !== 'tokens' && layerOf(path) !== 'print')
      .flatMap(path => rulesOf(path).match(/#[0-9a-f]{3,8}\b|(?:rgb|hsl|oklch)a?\([^)]*\)/gi) ?? [])
    assert.deepEqual(
      colours.filter((colour, index) => colours.indexOf(colour) !== index),
      [],
    )
  })

  test('every input, select and textarea has the one class of controls', () => {
    const tags = sources.flatMap(path => read(path).match(/<(?:input|select|textarea)\b[^;]*?>/g) ?? [])
    assert.ok(tags.length >= 10)
    const bare = tags.filter(
      tag => !/type="(?:checkbox|file|hidden|radio)"|className="control|\.\.\.control\(/.test(tag),
    )
    assert.deepEqual(bare, [])
  })
})

function readImports(entry: string) {
  const found = rulesOf(entry, { withStrings: true }).matchAll(/@import "\.\.\/(.+?)" layer\((.+?)\);/g)
  return [...found].map(([, path = '', layer = '']) => ({ path: `src/${path}`, layer }))
}

function layerOf(path: string): string {
  const name = posix.basename(path, '.css')
  if (name === 'base' || name === 'print') return name
  if (featureOf(path)) return 'features'
  return name.endsWith('tokens') ? 'tokens' : 'components'
}

function featureOf(path: string): string | undefined {
  return /^src\/features\/([^/]+)\//.exec(path)?.[1]
}

function isOf(feature: string, name: string): boolean {
  return name === feature || name.startsWith(`${feature}-`)
}

function classesOf(path: string): string[] {
  return [...new Set([...rulesOf(path).matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name))]
}

/** A stylesheet without comments, and without strings and URLs, which may look like selectors. */
function rulesOf(path: string, { withStrings = false } = {}): string {
  const rules = read(path).replaceAll(/\/\*.*?\*\//gs, '')
  return withStrings ? rules : rules.replaceAll(/url\([^)]*\)|"[^"]*"/g, '')
}

function byNumber(one: string, other: string): number {
  return Number.parseFloat(one) - Number.parseFloat(other)
}

function read(path: string): string {
  return readFileSync(path, 'utf8')
}

/** Whether a shorthand of four values has another one at the left than at the right. */
function hasUnequalSides(line: string): boolean {
  const [, values = ''] = /^\s*(?:inset|margin|padding): (.*);$/.exec(line) ?? []
  const [, right, , left] = values.match(/[\w-]+\([^()]*(?:\([^()]*\)[^()]*)*\)|[^\s()]+/g) ?? []
  return left !== undefined && left !== right
}
