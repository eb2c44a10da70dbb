import '../src/platform/umask.ts'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { canonicalEmail } from '../src/auth/staff-email.ts'
import { readConfig } from '../src/config.ts'
import { newReference } from '../src/features/enquiry-form/reference.server.ts'
import { erasePerson } from '../src/features/privacy/erase.server.ts'
import { findMergedApart, findMessagesFrom, NotOffered } from '../src/features/privacy/store.server.ts'
import { findUserByEmail } from '../src/features/sign-in/store.server.ts'
import { Email } from '../src/http/common-schemas.ts'
import { escapeControls } from '../src/platform/terminal.ts'
import { openServices } from '../src/services.ts'

/**
 * Erases a person who has asked for it: `npm run erase -- someone@example.com`. Asks for confirmation unless `--yes` is
 * set, and prints a record of what was erased, to be kept with the request. An enquiry that is merged with one of the person but
 * came from another address stays; `--include REFERENCE` erases it, too.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    yes: { type: 'boolean', default: false },
    include: { type: 'string', multiple: true, default: [] },
  },
})
const [email] = positionals
if (!email || positionals.length > 1) fail('Name an address: npm run erase -- someone@example.com')
if (!Email.safeParse(email).success) fail(`"${email}" is not a valid email address`)

let isInterrupted = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    isInterrupted = true
  })
const services = await openServices(readConfig(process.env))
try {
  const own = await findMessagesFrom(services.db, email)
  const { chosen, leftOut } = await findMergedApart(services.db, own, values.include)
  if (await findUserByEmail(services.db, canonicalEmail(email)))
    say('This is also the address of a member of staff. Their account stays; it is deleted in the portal.')
  say(`${own.length === 1 ? 'One message' : `${own.length} messages`} came from ${email}.`)
  for (const { reference, name, email: other } of chosen)
    say(`${reference} from ${name}, ${other}, is erased as well, because you included it.`)
  for (const { reference, name, email: other } of leftOut)
    say(
      `${reference} from ${name}, ${other}, is merged with one of them but came from another address. It stays, unless you know that it is of the same person and add --include ${reference}`,
    )
  if (!values.yes && !(await isConfirmed())) fail('Nothing was erased.')
  const erased = await erasePerson(services, email, newReference().replace('LF', 'ER'), {
    include: values.include,
    onProgress(entries) {
      if (isInterrupted) fail('Interrupted: nothing was erased.')
      if (process.stdout.isTTY) process.stdout.write(`\rLog entries searched: ${entries}`)
    },
  })
  if (process.stdout.isTTY) say('')
  say(
    [
      `Erased: ${email}`,
      `Reference: ${erased.reference}`,
      `When: ${erased.when}`,
      `Messages: ${erased.messages}`,
      ...(erased.leftOut.length > 0
        ? [`Merged with them, but from another address, and kept: ${erased.leftOut.join(', ')}`]
        : []),
      `Emails about them: ${erased.emails}`,
      `Files that came with them: ${erased.attachments}`,
      `Emails in the local mailbox: ${erased.files}`,
      `Stored replies to repeated requests: ${erased.replies}`,
      `Mentions in other conversations removed: ${erased.mentions}`,
      `Log entries deleted: ${erased.deletedEntries}`,
      `Log entries redacted: ${erased.redactedEntries}`,
      ...(erased.isRewritten
        ? []
        : [
            'The database file could not be rewritten, because another program was using it. Run this again to clear its free space.',
          ]),
      ...notTouched(services.config.databaseUrl !== null),
    ].join('\n'),
  )
} catch (error) {
  if (!(error instanceof NotOffered)) throw error
  process.stderr.write(`${escapeControls(error.message)}\nNothing was erased.\n`)
  process.exitCode = 1
} finally {
  await services.close()
}

/** Copies elsewhere, and how to delete them. */
function notTouched(isPostgres: boolean): string[] {
  return [
    'Not touched: emails that were already sent, and what the console has printed.',
    'Backups (npm run backup) made before now still hold this person until they are deleted. A restore leaves them out if it can read this database: npm run restore -- FILE --replaces FOLDER_OR_URL.',
    ...(isPostgres
      ? [
          'PostgreSQL keeps deleted text in its files until others are written over it or `vacuum full` has run, and longer in its write-ahead log, its base backups and its standbys: see docs/operations.md.',
        ]
      : []),
  ]
}

async function isConfirmed(): Promise<boolean> {
  if (!process.stdin.isTTY) {
    say('There is no terminal to ask at: add --yes if you are sure.')
    return false
  }
  const questions = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await questions.question('This cannot be undone. Type "erase" to continue: ')
  questions.close()
  return answer.trim() === 'erase'
}

function say(text: string) {
  process.stdout.write(`${escapeControls(text)}\n`)
}

function fail(message: string): never {
  process.stderr.write(`${escapeControls(message)}\n`)
  process.exit(1)
}
