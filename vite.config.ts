import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Three browser entries and the server, all into `build/`. */
export default defineConfig(({ command }) => ({
  plugins: [
    react(),
    serverFilesStayOnTheServer(),
    publicPagesAskOnce(),
    importHasItsCopy(),
    lazyPartsAskOnce(),
  ],
  publicDir: 'public',
  // A picture inlined into a script could not be kept by the browser, and a font would be refused by the policy.
  build: { assetsInlineLimit: 0 },
  environments: {
    client: {
      build: {
        outDir: 'build/browser',
        manifest: true,
        rolldownOptions: {
          // Texts do nothing when they are loaded, so a script takes only those that it shows.
          treeshake: { moduleSideEffects: [{ test: /\/src\/i18n\//, sideEffects: false }] },
          input: {
            site: 'src/entries/site.entry.ts',
            status: 'src/entries/status.css',
            'sign-in': 'src/entries/sign-in.entry.tsx',
            'verify-email': 'src/entries/verify-email.entry.tsx',
            password: 'src/entries/password.entry.tsx',
            portal: 'src/entries/portal.entry.tsx',
          },
          output: {
            codeSplitting: {
              // One file instead of two: an island waits for fewer requests, and brotli packs it tighter.
              groups: [
                { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
                // The same for the sign-in, which shares these with the portal.
                {
                  name: 'contract',
                  test: /src\/(platform\/clock|features\/sign-in\/contract|http\/(common-schemas|field-errors)|ui\/(client|form\/field|header\/menu))\.tsx?$/,
                },
              ],
            },
          },
        },
      },
    },
    ssr: {
      // Bundled whole, so that a start reads one file instead of several hundred. Pictures are encoded in a process of its own, and mails parsed in a thread.
      resolve: command === 'build' ? { noExternal: true, external: ['pg-native'] } : {},
      define: command === 'build' ? { 'process.env.NODE_ENV': '"production"' } : {},
      build: {
        outDir: 'build/server',
        emitAssets: false,
        copyPublicDir: false,
        minify: false,
        rolldownOptions: {
          input: {
            main: 'src/main.ts',
            'encode-picture': 'src/pictures/encode-picture.ts',
            'parse-mail': 'src/features/inbox/mail-in/parse-mail.ts',
          },
        },
      },
    },
  },
  builder: {},
}))

/** Refuses a browser bundle that reaches a `*.server.ts` file, and names who imported it. */
function serverFilesStayOnTheServer(): Plugin {
  return {
    name: 'server-files-stay-on-the-server',
    enforce: 'pre',
    resolveId: {
      filter: { id: /\.server\.tsx?$/ },
      handler(source, importer) {
        if (this.environment.name === 'client') {
          this.error(`${source} belongs to the server, but ${importer} takes it to the browser`)
        }
      },
    },
  }
}

/** What Vite puts beside every dynamic import, to fetch what it needs at the same time. */
const PRELOAD_HELPER = '\0vite/preload-helper.js'
const OF_PUBLIC_PAGES = '?public'
/** The same for scripts only, in a fifth of its size: the public pages have one stylesheet, which is there already. */
const SMALL_PRELOAD_HELPER = `export function __vitePreload(load, files = []) {
  for (const file of files)
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href: '/' + file }))
  return load()
}`

/**
 * Gives the public pages copies of the few lines that their entry shares with the portal. In a file of their own they
 * would be one more request beside the first picture.
 */
function publicPagesAskOnce(): Plugin {
  const ofPublicPages =
    /\/src\/(entries\/site\.entry\.ts|features\/site\/(islands\.ts|blocks\/picture\.tsx)|features\/enquiry-form\/form\.tsx)$|\?public$/
  return {
    name: 'public-pages-ask-once',
    apply: 'build',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (!importer || !ofPublicPages.test(importer)) return null
      if (source === PRELOAD_HELPER) return PRELOAD_HELPER + OF_PUBLIC_PAGES
      if (!/^(\.\.\/ui\/.*|.*\/pictures\/sizes)\.ts$/.test(source)) return null
      const shared = await this.resolve(source, importer, { ...options, skipSelf: true })
      return shared && { ...shared, id: shared.id + OF_PUBLIC_PAGES }
    },
    load: id => (id === PRELOAD_HELPER + OF_PUBLIC_PAGES ? SMALL_PRELOAD_HELPER : null),
  }
}

/**
 * Gives the import of content a copy of what reads HTML for it and for the editor of rich text. Shared, it would be a file of
 * its own, and the editor larger than its budget, for what hardly anybody opens twice.
 */
function importHasItsCopy(): Plugin {
  const ofImport = /\/content-editor\/moving\/|\?import-of-content$/
  const copied = /^(\.\.\/rich-text|\.)\/(html-tokens|html-blocks|paste-lines)\.ts$/
  return {
    name: 'import-has-its-copy',
    apply: 'build',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (!importer || !ofImport.test(importer) || !copied.test(source)) return null
      const shared = await this.resolve(source, importer, { ...options, skipSelf: true })
      return shared && { ...shared, id: `${shared.id}?import-of-content` }
    },
  }
}

/**
 * Beside each dynamic import Vite names every script that it needs. Those that its importer has loaded already are left out:
 * their names were half a kilobyte of the inbox.
 */
function lazyPartsAskOnce(): Plugin {
  let importsOf: (file: string) => readonly string[] = () => []
  function addLoaded(file: string, loaded: Set<string>) {
    if (loaded.has(file)) return
    loaded.add(file)
    for (const next of importsOf(file)) addLoaded(next, loaded)
  }
  return {
    name: 'lazy-parts-ask-once',
    apply: 'build',
    config: () => ({
      build: {
        modulePreload: {
          polyfill: false,
          resolveDependencies(file, needed, { hostId }) {
            const loaded = new Set<string>()
            addLoaded(hostId, loaded)
            const further = needed.filter(it => !loaded.has(it))
            return further.some(it => it !== file) ? further : []
          },
        },
      },
    }),
    generateBundle: {
      // Vite asks in this hook of a plugin of its own.
      order: 'pre',
      handler(_, bundle) {
        importsOf = file => {
          const chunk = bundle[file]
          return chunk?.type === 'chunk' ? chunk.imports : []
        }
      },
    },
  }
}
