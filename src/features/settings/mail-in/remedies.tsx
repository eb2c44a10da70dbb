import { ApiError } from '../../../http/api-client.ts'

/** What to do about a mailbox that cannot be read, or an email that does not come back, by the code of the problem. */
const remedies: Readonly<Record<string, string>> = {
  credentials:
    'Enter mailbox and password again. Google wants an app password, and ends it when the password of the account changes: then make another one. Other providers may want IMAP switched on first.',
  folder: 'Enter the name as the mail program shows it. Usually it is INBOX.',
  connections: 'Close one other mail program that reads this mailbox, then try again.',
  timeout:
    'Wait a minute and try again. If it stays so, compare the server name with what your provider says.',
  refused: 'Nothing listens there. Compare server name and encryption with what your provider says for IMAP.',
  unknown_host:
    'Compare the server name with what your provider says, character by character. A mailbox on this machine or in a private network is for the person who runs the server to set: with IMAP_URL, or with SMTP_PRIVATE_HOSTS=true.',
  certificate_name:
    'Enter the server name exactly as your provider writes it. If it is right, somebody may be between you and the server: ask your provider.',
  certificate:
    'The certificate has run out, or nobody known has signed it. Ask your provider; until it is put right, the password is not sent.',
  encryption: 'Choose the other kind of encryption: TLS is usual.',
  no_mail_server: 'Compare the server name with what your provider says for IMAP, or incoming mail.',
  flood: 'This is no ordinary mail server, or it is broken. Ask your provider.',
  answer: 'Try again in a minute. If it stays so, send your provider what stands here.',
  consent: 'Get a new code, and sign in with it. Nothing is lost: emails wait in the mailbox.',
  declined: 'Get a new code, and accept what Microsoft asks.',
  expired: 'Get a new code. It works for a quarter of an hour.',
  app: 'Compare both IDs with the overview of the app, and look at step 2: without “Allow public client flows” nobody can sign in with a code.',
  access:
    'Look at the permissions of step 3. The person who signs in needs a mailbox of their own; for a shared mailbox, Full Access and Send As for that.',
  busy: 'Nothing to do: it is tried again by itself.',
  delivery:
    'The email could not be sent. Look at “Test email delivery” under Email Settings: mail out has to work first.',
}

/** @param problem with or without the prefix that it has in the reply of a call */
export function remedyFor(problem: string | null | undefined): string | null {
  return remedies[problem?.replace(/^mail_in_/, '') ?? ''] ?? null
}

/** A refused sign-in, which has changed nothing. What is wrong with a field stands there. */
export function SignInFailure({ error }: { error: Error | null }) {
  if (!error || (error instanceof ApiError && error.status === 400)) return null
  const remedy = error instanceof ApiError ? remedyFor(error.code) : null
  return (
    <div className="callout snug small settings-result" data-kind="error" role="alert">
      <p>
        <strong>Nothing was changed: the sign-in failed.</strong> {error.message}
      </p>
      {remedy && <p className="settings-advice">{remedy}</p>}
    </div>
  )
}
