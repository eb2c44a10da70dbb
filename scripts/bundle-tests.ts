import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { build, type Plugin } from 'vite'
import { BUNDLES } from './run-unit-tests.ts'

/**
 * Bundles the test files that the arguments name: Node would find, read and link a thousand modules for each process, and
 * compile `.tsx` with Vite for each of those that open the whole site. A failure still names lines of the sources.
 */
const files = process.argv.slice(2)
const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))

await build({
  configFile: false,
  logLevel: 'error',
  publicDir: false,
  plugins: [pathsOfSources()],
  ssr: { noExternal: true, external: [...Object.keys(devDependencies), 'pg-native'] },
  build: {
    ssr: true,
    outDir: BUNDLES,
    emptyOutDir: true,
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      input: Object.fromEntries(files.map(file => [file.replace(/\.ts$/, ''), file])),
      // One for all: what several files share would otherwise become hundreds of small ones.
      output: {
        codeSplitting: { groups: [{ name: 'product', test: /\/(src|node_modules)\/.*(?<!\.test\.ts)$/ }] },
      },
    },
  },
})

/** A module finds its child processes beside its source. */
function pathsOfSources(): Plugin {
  return {
    name: 'paths-of-sources',
    transform: {
      filter: { code: /import\.meta\.(dirname|filename)/ },
      handler: (code, id) =>
        code
          .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
          .replaceAll('import.meta.filename', JSON.stringify(id)),
    },
  }
}
