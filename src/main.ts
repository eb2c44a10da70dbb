import './platform/umask.ts'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApp, type LandfallApp } from './app.tsx'
import { readAssets } from './assets.ts'
import { type Config, ConfigError, proxyWarning, readConfig } from './config.ts'
import { readDefaultAdmin } from './features/dashboard/first-steps.server.ts'
import { closeSlowReaders } from './http/limits/slow-readers.ts'
import { createListener, gracefulShutdown } from './http/listener.ts'
import { createHttpServer } from './http/server.ts'
import { seconds } from './platform/clock.ts'
import { escapeControls } from './platform/terminal.ts'
import { setUpPath } from './screens.ts'

/** Requests in flight get this long to finish. */
const REQUESTS_TIMEOUT = seconds(9.5)
/** The database gets the rest of the time to close; supervisors kill after ten seconds. */
const SHUTDOWN_TIMEOUT = seconds(9.9)
/**
 * Connections that the system keeps until they are accepted, twice what may be open. With Node's 511, somebody who opens
 * very many at once fills that queue, and their neighbours wait a second until their system tries again.
 */
const MAX_WAITING = 4096

// `npm start` holds the other end of the channel, and may be killed without a chance to pass a signal on.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))

await start().catch(error => {
  process.stderr.write(escapeControls(`${error instanceof ConfigError ? error.message : error?.stack}\n`))
  process.exit(1)
})

async function start() {
  const config = readConfig(process.env)
  const assets = readAssets(join(import.meta.dirname, '../browser'), config.publicUrl)
  const app = await createApp(config, assets)
  const { listener, close } = gracefulShutdown(createListener(app))
  const server = createHttpServer(listener, config.trustProxy)
  const readers = closeSlowReaders(server)
  const transport = await app.services.mail.transport()
  const place = { port: config.port, host: config.host, backlog: MAX_WAITING }
  const defaultAdmin = await readDefaultAdmin(app.services.db)
  server.listen(place, () => printWelcome(config, app, transport !== 'mailbox', defaultAdmin))
  server.on('error', error => {
    process.stderr.write(`Cannot listen on ${config.host}:${config.port}: ${error.message}\n`)
    process.exit(1)
  })
  const stop = async () => {
    setTimeout(() => process.exit(1), SHUTDOWN_TIMEOUT).unref()
    app.beginStop()
    await Promise.race([close(server, readers), sleep(REQUESTS_TIMEOUT)])
    await app.close()
    process.exit(0)
  }
  // The server keeps running when the reader of its output goes away.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop)
}

/** Prints what the person who started it needs to know. */
function printWelcome(
  config: Config,
  { firstPassword, setUpToken }: LandfallApp,
  isSent: boolean,
  defaultAdmin = '',
) {
  const { publicUrl, adminEmail, trustProxy } = config
  const notices = [
    setUpToken &&
      `Open this link to set up your site. It works once, for a day or until the next start:\n${publicUrl}${setUpPath}#${setUpToken}`,
    firstPassword &&
      `The first admin is ${adminEmail}\nwith the password ${firstPassword}\nIt is shown this once.`,
    !isSent &&
      'No mail provider is set (SMTP_URL, or a provider in the settings): emails are saved in the data folder, and sign-in codes are printed here.',
    isSent &&
      defaultAdmin.endsWith('.test') &&
      `Mail is set up, but ${defaultAdmin} receives none. Give the admin a real address: npm run staff:email -- ${defaultAdmin} NEW`,
    publicUrl.startsWith('https:') &&
      trustProxy === 0 &&
      'PUBLIC_URL is https, so there is a proxy in front, but TRUST_PROXY is 0: all visitors seem to come from one address, and rate limits will soon block them all. Set TRUST_PROXY=1.',
    proxyWarning(config),
  ].filter(Boolean)
  const lines = [`Landfall is at ${publicUrl}`, `Staff sign in at ${publicUrl}/auth`]
  process.stdout.write(`${[...lines, ...notices.map(notice => `\n${notice}`)].join('\n')}\n`)
}
