import '../src/platform/umask.ts'
import { canonicalEmail } from '../src/auth/staff-email.ts'
import { readConfig } from '../src/config.ts'
import { randomPassword } from '../src/features/set-up/first-admin.server.ts'
import { findUserByEmail } from '../src/features/sign-in/store.server.ts'
import { changeUser } from '../src/features/users/change-user.server.ts'
import { escapeControls } from '../src/platform/terminal.ts'
import { openServices } from '../src/services.ts'

/**
 * Gives a member of staff a new password and prints it: `npm run staff:password -- someone@agency.example`, for when no
 * admin can sign in to do it in the portal. They are signed out everywhere, and get an email about it.
 */
const [email] = process.argv.slice(2)
if (!email) fail('Name an address: npm run staff:password -- someone@agency.example')

const services = await openServices(readConfig(process.env))
try {
  const user = await findUserByEmail(services.db, canonicalEmail(email))
  if (!user) fail(`There is no user with the address ${email}`)
  const password = randomPassword()
  await changeUser(services, { id: user.id, password }, null)
  services.log('warning', 'Auth', 'A new password was given on the server', { targetUserId: user.id })
  process.stdout.write(
    `The new password is ${password}. It is shown only once; change it after signing in, under Edit Profile.\n`,
  )
} finally {
  await services.close()
}

function fail(message: string): never {
  process.stderr.write(`${escapeControls(message)}\n`)
  process.exit(1)
}
