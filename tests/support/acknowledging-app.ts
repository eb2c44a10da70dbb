import { newId } from '../../src/database/id.ts'
import { enquiries } from '../../src/features/enquiry-form/contract.ts'
import { readHistoryPage } from '../../src/features/inbox/history/history-page.server.ts'
import { openTestAppWithCaptcha, visitor } from './test-app-with-captcha.ts'
import { until } from './until.ts'

/** An installation that acknowledges enquiries, with what a test needs to see of that. */
export async function openAcknowledgingApp(...options: Parameters<typeof openTestAppWithCaptcha>) {
  const opened = await openTestAppWithCaptcha(...options)
  const { testApp, newToken } = opened
  const { db, clock, mailTest, outbox, settings } = testApp.services
  await mailTest.record(await mailTest.current())
  await settings.write('acknowledgement_enabled', 'true')
  const anybody = () => `${newId(clock())}@visitor.test`

  /** Sends an enquiry, and waits until it is decided whether its sender gets an email, and what became of that. */
  async function enquire(
    change: { email?: string; name?: string; message?: string; recaptchaToken?: string } = {},
    address?: string,
  ) {
    const enquiry = { ...visitor, email: anybody(), recaptchaToken: newToken(), ...change }
    const { reference } = await testApp.browser(address).call(enquiries.contact, enquiry)
    const { id } = await db
      .selectFrom('messages')
      .select('id')
      .where('reference', '=', reference)
      .executeTakeFirstOrThrow()
    await settle()
    return { id, reference, email: enquiry.email }
  }

  async function settle() {
    outbox.wake()
    const undecided = db.selectFrom('acknowledgements').select('message_id').where('decided_at', 'is', null)
    const untried = db.selectFrom('outbox').select('id').where('state', '=', 'waiting')
    const fresh = untried.where(eb => eb.or([eb('attempts', '=', 0), eb('leased_until', 'is not', null)]))
    await until(async () => [...(await undecided.execute()), ...(await fresh.execute())].length === 0)
  }

  return {
    ...opened,
    anybody,
    enquire,
    settle,
    emailsFor: (email: string) =>
      testApp.mailServer.emails.filter(({ recipients }) => recipients.includes(email)),
    /** What the conversation says about the acknowledgement. */
    eventOf: async (id: string) =>
      (await readHistoryPage(db, id, [])).entries.find(({ body }) => body === 'acknowledged'),
    statusOf: async (id: string) =>
      await db
        .selectFrom('messages')
        .select(['status', 'is_read', 'last_activity_at'])
        .where('id', '=', id)
        .executeTakeFirst(),
  }
}
