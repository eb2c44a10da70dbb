import type { TestEmailResult } from './contract.ts'
import { adviceFor } from './delivery-advice.ts'
import { useTestEmail } from './queries.ts'

const outcomes: Record<TestEmailResult['transport'], string> = {
  mailchimp: 'Mailchimp Transactional accepted it',
  smtp: 'The mail relay accepted it',
  mailbox: 'It stays on the server, because no mail provider is set up',
}

/** Sends one email to the admin and shows the result. @param isDirty whether there are unsaved changes, which the test would not use */
export function TestEmail({ isDirty }: { isDirty: boolean }) {
  const test = useTestEmail()
  const isIdle = test.isPending || isDirty
  const advice = test.error && adviceFor(test.error)
  return (
    <section className="panel settings-test" aria-labelledby="test-email">
      <h2 id="test-email">Test email delivery</h2>
      <p>
        {isDirty
          ? 'Save your changes first: the test uses the saved settings.'
          : 'Sends one email to your own address, the same way as all other emails.'}
      </p>
      <button
        type="button"
        className="button"
        aria-disabled={isIdle}
        onClick={() => {
          if (!isIdle) test.mutate()
        }}
      >
        {test.isPending ? 'Sending …' : 'Send a test email'}
      </button>
      <div role="status">
        {test.data && (
          <p className="settings-result">
            <strong>Test email sent to {test.data.to}.</strong> {outcomes[test.data.transport]}.
          </p>
        )}
      </div>
      {test.error && (
        <div className="settings-result" data-kind="error" role="alert">
          <p>
            <strong>The test email could not be sent.</strong> {test.error.message}
          </p>
          {advice && <p className="settings-advice">{advice}</p>}
        </div>
      )}
    </section>
  )
}
