import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { explain } from './delivery.tsx'

suite('The reason of a mail server', () => {
  test('what mail servers say is said in plain words', () => {
    for (const [said, plain] of [
      ['550 5.1.1 <mia@yaho.com>: Recipient address rejected: User unknown', 'there is no such address'],
      ['550-5.1.1 The email account that you tried to reach does not exist.', 'there is no such address'],
      ['Sent, but not to a@b.test: 550 No such user here', 'there is no such address'],
      ['rejected: hard-bounce', 'there is no such address'],
      ['452 4.2.2 Mailbox full', 'the mailbox is full'],
      ['552 5.2.2 Over quota', 'the mailbox is full'],
      ['552 5.3.4 Message size exceeds fixed limit', 'it is too large for their mail server'],
      ['550 5.1.2 Host unknown', 'nobody takes mail at that domain'],
      ['550 5.2.1 The account is disabled', 'that mailbox is switched off'],
      ['554 5.7.1 Blocked by policy', 'their mail server refuses mail from here'],
      ['The sender was refused', ''],
      ['Landfall was interrupted while it sent this reply, so it may have arrived.', ''],
      ['550 5.1.1 User unknown (it may have arrived)', ''],
    ] as const)
      assert.equal(explain(said), plain, said)
  })
})
