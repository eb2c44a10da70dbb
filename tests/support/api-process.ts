import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveApi } from '../../src/api.ts'
import { readConfig } from '../../src/config.ts'
import { createListener } from '../../src/http/listener.ts'
import { createHttpServer } from '../../src/http/server.ts'
import { openServices } from '../../src/services.ts'

/**
 * The API as a process of its own behind one proxy, for tests that measure its memory: `fork` it with `--expose-gc`. It
 * sends its port, then for each message that it gets the bytes of memory in use.
 */
const dataDir = mkdtempSync(join(tmpdir(), 'landfall-process-'))
const services = await openServices(readConfig({ ...process.env, DATA_DIR: dataDir, TRUST_PROXY: '1' }), {
  print: () => {},
})
const { app } = serveApi(services)
const listener = createListener({
  responses: new Map(),
  services,
  fetch: (request, connection) => app.fetch(request, connection),
})
const server = createHttpServer(listener).listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 })
})
process.on('message', () => {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  process.send?.({ bytes: heapUsed + external })
})
process.on('disconnect', () => process.exit(0))
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }))
