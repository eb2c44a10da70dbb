/** As many whatever the secret, so that they tell nothing of its length. */
const MASK = '*'.repeat(8)
/** Characters. A shorter secret shows nothing: its last four would be too much of it. */
const MIN_SHOWN = 12

/** A secret as people see it: that there is one, and the end by which they know it again. */
export function maskSecret(secret: string): string {
  if (secret === '') return ''
  return secret.length < MIN_SHOWN ? MASK : MASK + secret.slice(-4)
}

/** No real key has an asterisk, so such a text is a mask or was typed into one. */
export function looksMasked(value: string): boolean {
  return value.includes('*')
}
