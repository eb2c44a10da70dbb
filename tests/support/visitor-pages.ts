import assert from 'node:assert/strict'
import { newId } from '../../src/database/id.ts'
import { newReference } from '../../src/features/enquiry-form/reference.server.ts'
import { visitorPage } from '../../src/features/status/contract.ts'
import { ApiError } from '../../src/http/api-client.ts'
import { emailsTo, passUndoTime, signInToInbox, storeMessage, untilDelivered } from './conversation.ts'
import { connectMailbox } from './mail-in.ts'
import type { TestApp } from './test-app.ts'
import { until } from './until.ts'

/** The token of the link in an email; empty without one. */
export const tokenIn = (text: string) => /\/status#([\w-]{43})/.exec(text)?.[1] ?? ''
export const codeIn = (text: string) => /Code: (\d{6})/.exec(text)?.[1] ?? ''

export const failsWith = (status: number) => (error: unknown) =>
  error instanceof ApiError && error.status === status

/** Visitors who follow their enquiries, and Ana, who answers them. */
export async function openVisitorPages(testApp: TestApp) {
  const { db, clock, outbox } = testApp.services
  const ana = await signInToInbox(testApp)
  const mailbox = await connectMailbox(testApp)

  const newVisitor = () => `${newId(clock())}@visitor.test`
  /** An enquiry, with its reference. */
  async function store(change: object = {}) {
    const sent = { email: newVisitor(), reference: newReference(), ...change }
    return { id: await storeMessage(testApp, sent), ...sent }
  }
  const textsTo = (email: string) => emailsTo(testApp, email).map(({ text = '' }) => text)
  async function newest(email: string, count: number) {
    outbox.wake()
    await until(() => textsTo(email).length === count)
    return textsTo(email).at(-1) ?? ''
  }
  const visitor = testApp.browser()
  const askFor = async (reference: string, email: string, browser = visitor) =>
    await browser.call(visitorPage.link, { reference, email })
  /** A link that was asked for by reference. */
  async function linkTo({ email, reference }: { email: string; reference: string }) {
    const before = textsTo(email).length
    await askFor(reference, email, testApp.browser())
    return tokenIn(await newest(email, before + 1))
  }
  async function openPage(enquiry: { email: string; reference: string }) {
    const token = await linkTo(enquiry)
    const before = textsTo(enquiry.email).length
    await visitor.call(visitorPage.code, { token })
    const code = codeIn(await newest(enquiry.email, before + 1))
    const { access = '', replies = [], status } = await visitor.call(visitorPage.read, { token, code })
    return { token, access, replies, status }
  }
  async function sendReply(id: string, body: string, change = {}) {
    const reply = await ana.reply(id, body, change)
    passUndoTime(testApp)
    await untilDelivered(testApp, reply.id)
    return reply
  }
  const isGone = async (token: string) =>
    await assert.rejects(visitor.call(visitorPage.read, { token }), failsWith(404))

  /** Where an answer to it goes. */
  const replyAddressOf = async (id: string) => {
    const row = db.selectFrom('messages').select('reply_key').where('id', '=', id)
    return `info+${(await row.executeTakeFirst())?.reply_key}@agency.test`
  }

  return {
    ...{ ana, mailbox, visitor, store, askFor, linkTo, openPage, sendReply },
    ...{ newVisitor, textsTo, newest, isGone, replyAddressOf },
  }
}
