import type { TestEmailResult } from './contract.ts'
import { useTestEmail } from './queries.ts'

const ways: Record<TestEmailResult['transport'], string> = {
  mailchimp: 'Mailchimp Transactional has taken it',
  smtp: 'The mail relay has taken it',
  mailbox: 'It stays on the server, since no mail provider is set up',
}

/** Sends one letter to whoever asks, and says what the provider says. @param isDirty what is typed does not count yet */
export function TestEmail({ isDirty }: { isDirty: boolean }) {
  const test = useTestEmail()
  const isIdle = test.isPending || isDirty
  return (
    <section className="settings-test" aria-labelledby="test-email">
      <h2 id="test-email">Does mail arrive?</h2>
      <p>
        {isDirty
          ? 'Save your changes first: the test goes by what is saved.'
          : 'One letter goes to your own address, the way all letters go.'}
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
            <strong>Test email sent to {test.data.to}.</strong> {ways[test.data.transport]}.
          </p>
        )}
      </div>
      {test.error && (
        <p className="settings-result" data-kind="error" role="alert">
          <strong>The test email could not be sent.</strong> {test.error.message}
        </p>
      )}
    </section>
  )
}
