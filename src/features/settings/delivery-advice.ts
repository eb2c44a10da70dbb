import { ApiError } from '../../http/api-client.ts'
import type { DeliveryProblem } from '../../mail/transport.ts'

/** What to do next about a failed test email, by the code of the reply. */
const advice: Readonly<Record<`mail_${DeliveryProblem}`, string>> = {
  mail_credentials:
    'The provider knows neither this user name nor this password, or does not let programs use them. Enter both again. Google wants an app password; Microsoft wants Authenticated SMTP switched on for the mailbox.',
  mail_sign_in: 'The server sends for nobody who has not signed in. Enter a user name and a password.',
  mail_sender:
    'The account may not send from that address. Use the account’s own address, or make the other one an alias of it at your provider.',
  mail_quota:
    'The account has sent as much as its provider allows for now. Wait until tomorrow, or ask the provider for a higher limit.',
  mail_refused:
    'Nothing listens at this port. Compare server name and port with what your provider says: usually 587 with STARTTLS, or 465 with TLS.',
  mail_timeout:
    'Compare server name and port with what your provider says. If they are right, a firewall may be in the way: many hosting companies block port 25, so try 587 or 465.',
  mail_unknown_host:
    'Compare the server name with what your provider says, character by character. A mail server on this machine or in a private network is for the person who runs the server to set: with SMTP_URL, or with SMTP_PRIVATE_HOSTS=true.',
  mail_certificate_name:
    'Enter the server name exactly as your provider writes it. If it is right, somebody may be between you and the server: send nothing, and ask your provider.',
  mail_certificate:
    'The certificate has run out, or nobody known has signed it. Ask your provider; until it is put right, the password is not sent.',
  mail_encryption: 'Port and encryption do not fit together: choose STARTTLS for 587, or TLS for 465.',
  mail_no_mail_server: 'Compare the port with what your provider says: usually 587 or 465.',
}

export function adviceFor(error: Error): string | null {
  return adviceForCode(error instanceof ApiError ? error.code : undefined)
}

export function adviceForCode(code: string | null | undefined): string | null {
  return Object.entries(advice).find(([known]) => known === code)?.[1] ?? null
}
