import { domainToASCII } from 'node:url'

/** The one form under which a staff address is stored and found: NFKC, lower case, the domain in punycode. */
export function canonicalEmail(email: string): string {
  const [local = '', domain = ''] = email.normalize('NFKC').trim().toLowerCase().split('@')
  return `${local}@${domainToASCII(domain)}`
}
