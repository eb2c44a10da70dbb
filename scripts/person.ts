import '../src/platform/umask.ts'
import { parseArgs } from 'node:util'
import { readConfig } from '../src/config.ts'
import { describeHeldData } from '../src/features/privacy/describe-held-data.ts'
import { findHeldData, isSearchable } from '../src/features/privacy/held-data.server.ts'
import { NotOffered } from '../src/features/privacy/store.server.ts'
import { escapeControls } from '../src/platform/terminal.ts'
import { openServices } from '../src/services.ts'

/**
 * Prints all that is stored about a person who asks what is: `npm run person -- someone@example.com`, or a phone number in
 * quotes. With `--json`, as JSON. It has notes of staff too: read it before you pass it on. Enquiries that may be somebody
 * else's are named beside the output; `--include REFERENCE` adds one of them.
 */
const USAGE = 'Name an email address or a phone number: npm run person -- someone@example.com'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    include: { type: 'string', multiple: true, default: [] },
  },
})
const [person] = positionals
if (!person || positionals.length > 1) fail(USAGE)
if (!isSearchable(person)) fail(`"${person}" is neither an email address nor a phone number`)

// The output is the data and nothing else.
const services = await openServices(readConfig(process.env), { print: line => process.stderr.write(line) })
try {
  const { leftOut, ...held } = await findHeldData(services, person, values.include)
  const references = leftOut.map(({ reference }) => reference)
  const { timeZone } = services.content.read().content.company
  const text = values.json
    ? JSON.stringify({ ...held, leftOut: references }, null, 2)
    : describeHeldData({ ...held, leftOut }, timeZone)
  warn('This may have notes of staff and names of others. Read it before you pass it on.')
  // Not in the output, which the person may get.
  for (const { reference, name, email } of leftOut)
    warn(
      `Left out: ${reference} from ${name}, ${email}. It ${person.includes('@') ? 'is merged with an enquiry of this person but came from another address' : 'has this phone number, which several people may share'}. If you know that it is of the same person, add --include ${reference}`,
    )
  process.stdout.write(`${escapeControls(text)}\n`)
  // Without the address: the log must not be one more place that names the person.
  const messages = held.tables.messages?.length ?? 0
  services.log('warning', 'API', 'All data about a person printed on the server', { messages })
} catch (error) {
  if (!(error instanceof NotOffered)) throw error
  warn(error.message)
  process.exitCode = 1
} finally {
  await services.close()
}

function warn(text: string) {
  process.stderr.write(`${escapeControls(text)}\n`)
}

function fail(message: string): never {
  warn(message)
  process.exit(1)
}
