import '../src/platform/umask.ts'
import { hashCode, newCode } from '../src/auth/six-digits.ts'
import { canonicalEmail } from '../src/auth/staff-email.ts'
import { readConfig } from '../src/config.ts'
import { findUserByEmail, saveConsoleCode } from '../src/features/sign-in/store.server.ts'
import { escapeControls } from '../src/platform/terminal.ts'
import { openServices } from '../src/services.ts'

/**
 * Prints a sign-in code for when mail is down: `npm run staff:code -- someone@agency.example`. It replaces
 * the code in an email that never arrived, and the email of sign-ins within the next five minutes, until one of them
 * consumes it. The password is still needed.
 */
const [email] = process.argv.slice(2)
if (!email) fail('Name an address: npm run staff:code -- someone@agency.example')

const services = await openServices(readConfig(process.env))
try {
  const user = await findUserByEmail(services.db, canonicalEmail(email))
  if (!user) fail(`There is no user with the address ${email}`)
  const code = newCode()
  await saveConsoleCode(services.db, services.clock, user.id, hashCode(services.keys.signInCode, code))
  services.log('warning', 'Auth', 'A sign-in code was printed on the server', { forUser: user.id })
  process.stdout.write(
    `The code is ${code}. Sign in with the password within five minutes; the code works once.\n`,
  )
} finally {
  await services.close()
}

function fail(message: string): never {
  process.stderr.write(`${escapeControls(message)}\n`)
  process.exit(1)
}
