/**
 * The form in which a staff address is stored and looked up: NFKC, lower case, the domain in punycode. Text that is not
 * an address gets an empty domain, so that every check of an address rejects it.
 */
export function canonicalEmail(email: string): string {
  const parts = email.normalize('NFKC').trim().toLowerCase().split('@')
  const [local = '', domain = ''] = parts.length === 2 ? parts : []
  return `${local}@${asciiDomain(domain)}`
}

/** Browsers and Node normalise the host of a URL in the same way. The excluded characters would end the host or be dropped. */
function asciiDomain(domain: string): string {
  const address = `http://${domain}`
  return /[\s/\\?#:%[\]]/.test(domain) || !URL.canParse(address) ? '' : new URL(address).hostname
}
