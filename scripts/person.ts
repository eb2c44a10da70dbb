import '../src/umask.ts'
import { parseArgs } from 'node:util'
import { readConfig } from '../src/config.ts'
import { describeHeldData } from '../src/features/privacy/describe-held-data.ts'
import { findHeldData, isSearchable } from '../src/features/privacy/held-data.server.ts'
import { openServices } from '../src/services.ts'
import { escapeControls } from '../src/terminal.ts'

/**
 * Prints all that is stored about a person who asks what is: `npm run person -- someone@example.com`, or a phone number in
 * quotes. With `--json`, as JSON. It has notes of staff too: read it before you pass it on.
 */
const USAGE = 'Name an email address or a phone number: npm run person -- someone@example.com'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false } },
})
const [person] = positionals
if (!person || positionals.length > 1) fail(USAGE)
if (!isSearchable(person)) fail(`"${person}" is neither an email address nor a phone number`)

// The output is the data and nothing else.
const services = await openServices(readConfig(process.env), { print: line => process.stderr.write(line) })
try {
  const held = await findHeldData(services, person)
  const text = values.json ? JSON.stringify(held, null, 2) : describeHeldData(held)
  process.stdout.write(`${escapeControls(text)}\n`)
  // Without the address: the log must not be one more place that names the person.
  const messages = held.tables.messages?.length ?? 0
  services.log('warning', 'API', 'All data about a person printed on the server', { messages })
} finally {
  await services.close()
}

function fail(message: string): never {
  process.stderr.write(`${escapeControls(message)}\n`)
  process.exit(1)
}
