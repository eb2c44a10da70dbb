/** Always the same number, so that the mask does not show the length of the secret. */
const MASK = '*'.repeat(8)
/** Characters. Of a shorter secret nothing is shown: its last four would be too much of it. */
const MIN_SHOWN = 12

/** A secret as people see it: the mask and the last four characters, by which they recognise it. */
export function maskSecret(secret: string): string {
  if (secret === '') return ''
  return secret.length < MIN_SHOWN ? MASK : MASK + secret.slice(-4)
}

/** No real key has an asterisk, so a value with one is a mask, or was typed into one. */
export function looksMasked(value: string): boolean {
  return value.includes('*')
}
