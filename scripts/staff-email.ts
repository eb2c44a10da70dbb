import '../src/platform/umask.ts'
import { canonicalEmail } from '../src/auth/staff-email.ts'
import { readConfig } from '../src/config.ts'
import { changeEmail, findUserByEmail } from '../src/features/sign-in/store.server.ts'
import { Email } from '../src/http/common-schemas.ts'
import { escapeControls } from '../src/platform/terminal.ts'
import { openServices } from '../src/services.ts'

/** Changes the address of a member of staff, the default admin's too: `npm run staff:email -- OLD NEW`. */
const [from, to] = process.argv.slice(2)
if (!from || !to) fail('Name the old and the new address: npm run staff:email -- OLD NEW')
if (!Email.safeParse(to).success) fail(`"${to}" is not a valid email address`)

const services = await openServices(readConfig(process.env))
try {
  const user = await findUserByEmail(services.db, canonicalEmail(from))
  if (!user) fail(`There is no user with the address ${from}`)
  if (await findUserByEmail(services.db, canonicalEmail(to))) fail(`${to} belongs to another user`)
  await changeEmail(services.db, user.id, canonicalEmail(to))
  services.log('warning', 'Auth', "A user's address was changed on the server", { targetUserId: user.id })
  process.stdout.write(escapeControls(`${from} now signs in as ${to}.\n`))
} finally {
  await services.close()
}

function fail(message: string): never {
  process.stderr.write(`${escapeControls(message)}\n`)
  process.exit(1)
}
