import { hasClamd } from '../tests/support/clamd.ts'
import { hasDovecot } from '../tests/support/dovecot.ts'
import { findProgram, HEADLESS_SHELL, installDebianPackages } from './browser.ts'
import { hasPostgres } from './postgres.ts'

/** The programs that the check needs and this machine lacks, from Debian, in one go. */
const lacking = [
  ...(findProgram([HEADLESS_SHELL]) ? [] : [HEADLESS_SHELL]),
  ...(hasPostgres() || process.env.TEST_DATABASE_URL ? [] : ['postgresql']),
  ...(hasDovecot ? [] : ['dovecot-imapd']),
  ...(hasClamd ? [] : ['clamav-daemon']),
]
if (lacking.length > 0) installDebianPackages(lacking)
