import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Three browser entries and the server, all into `build/`. */
export default defineConfig(({ command }) => ({
  plugins: [react(), serverFilesStayOnTheServer()],
  publicDir: 'public',
  // A picture inlined into a script could not be kept by the browser, and a font would be refused by the policy.
  build: { assetsInlineLimit: 0 },
  environments: {
    client: {
      build: {
        outDir: 'build/browser',
        manifest: true,
        modulePreload: { polyfill: false },
        rolldownOptions: {
          input: {
            site: 'src/site.entry.ts',
            'sign-in': 'src/sign-in.entry.tsx',
            portal: 'src/portal.entry.tsx',
          },
          output: {
            codeSplitting: {
              // One file instead of two: an island waits for fewer requests, and brotli packs it tighter.
              groups: [{ name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// }],
            },
          },
        },
      },
    },
    ssr: {
      // Bundled whole, so that a start reads one file instead of several hundred.
      resolve: command === 'build' ? { noExternal: true, external: ['pg-native'] } : {},
      define: command === 'build' ? { 'process.env.NODE_ENV': '"production"' } : {},
      build: {
        outDir: 'build/server',
        emitAssets: false,
        copyPublicDir: false,
        minify: false,
        rolldownOptions: { input: { main: 'src/main.ts' } },
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
