import { randomBytes } from 'node:crypto'
import type { MailConnection } from '../features/settings/mail-in/contract.ts'

/** 80 bits: nobody guesses one. */
const KEY_BYTES = 10
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const KEY = /\+([a-z2-7]{16})@/

/** Where a mailbox is, and whether mail to `name+key@` reaches it. */
export type ReplyMailbox = Pick<MailConnection, 'address' | 'plusAddresses'>

/** Names a conversation in the address to which its mails are answered. In base32: servers may change the case. */
export function newReplyKey(): string {
  const bits = BigInt(`0x${randomBytes(KEY_BYTES).toString('hex')}`)
  return Array.from({ length: 16 }, (_, at) => ALPHABET[Number((bits >> BigInt(5 * at)) & 31n)]).join('')
}

/** To which a conversation is answered: the mailbox itself where it gets no mail to others. */
export function replyAddress({ address, plusAddresses }: ReplyMailbox, key: string | null): string {
  const at = address.lastIndexOf('@')
  return plusAddresses && key !== null ? `${address.slice(0, at)}+${key}${address.slice(at)}` : address
}

/** The keys in addresses that are in lower case. Of any mailbox: another one may have been connected since. */
export function replyKeysIn(addresses: readonly string[]): string[] {
  return [...new Set(addresses.flatMap(address => KEY.exec(address)?.[1] ?? []))]
}
