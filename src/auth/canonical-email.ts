/**
 * The one form under which a staff address is stored and found: NFKC, lower case, the domain in punycode. What is no
 * address comes back with an empty domain, so that no check of an address lets it pass.
 */
export function canonicalEmail(email: string): string {
  const parts = email.normalize('NFKC').trim().toLowerCase().split('@')
  const [local = '', domain = ''] = parts.length === 2 ? parts : []
  return `${local}@${asciiDomain(domain)}`
}

/** A URL's host is brought into the same form by browsers and by Node; these characters would end it, or be dropped. */
function asciiDomain(domain: string): string {
  const address = `http://${domain}`
  return /[\s/\\?#:%[\]]/.test(domain) || !URL.canParse(address) ? '' : new URL(address).hostname
}
