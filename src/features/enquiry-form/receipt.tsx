import { useId, useState } from 'react'
import { ApiError, readReply } from '../../http/api-client.ts'
import { copyText } from '../../ui/copy-text.ts'
import type { SendTexts } from './form-texts.ts'

interface ReceiptProps {
  readonly texts: Pick<SendTexts, 'received' | 'receipt'>
  readonly reference: string
  /** Of the visitor, to which the link to the page of the enquiry is emailed. */
  readonly email: string
  /** When the answer comes; empty where that is not known. */
  readonly answer: string
  readonly onAgain: () => void
}

/** Takes the place of the form once the enquiry is stored. It takes the focus, so that a screen reader reads it out once. */
export function Receipt({ texts: { received, receipt }, reference, email, answer, onAgain }: ReceiptProps) {
  const id = useId()
  const [isCopied, setCopied] = useState(false)
  const [link, setLink] = useState<'sent' | 'failed' | null>(null)

  async function copy(button: HTMLElement) {
    setCopied(await copyText(reference, button))
  }

  async function emailLink() {
    const reply = await readReply(() =>
      fetch('/api/public/status-link', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ reference, email }),
      }),
    )
    setLink(reply instanceof ApiError ? 'failed' : 'sent')
  }

  return (
    <section
      className="enquiry-form-received"
      ref={takeFocus}
      tabIndex={-1}
      aria-labelledby={`${id}title`}
      aria-describedby={`${id}thanks`}
    >
      <div className="enquiry-form-received-head">
        <svg viewBox="0 0 56 56" aria-hidden="true">
          <circle cx="28" cy="28" r="26" />
          <path d="m17 29 8 8 15-17" />
        </svg>
        <h2 id={`${id}title`}>{received.title}</h2>
        <p id={`${id}thanks`}>{received.description}</p>
      </div>
      <dl className="facts">
        <div>
          <dt>{receipt.reference}</dt>
          <dd className="line wrap">
            <strong className="reference">{reference}</strong>
            <button type="button" className="button" onClick={event => copy(event.currentTarget)}>
              {receipt.copy}
            </button>
            <span role="status">{isCopied && receipt.copied}</span>
            <p>{receipt.keep}</p>
          </dd>
        </div>
        {answer && (
          <div>
            <dt>{receipt.answer}</dt>
            <dd className="line wrap">
              <strong>{answer}</strong>
            </dd>
          </div>
        )}
      </dl>
      <div className="enquiry-form-received-actions">
        <button type="button" className="button button-primary button-large" onClick={onAgain}>
          {receipt.again}
        </button>
        <button type="button" className="button button-large" onClick={emailLink} disabled={link === 'sent'}>
          {receipt.emailLink}
        </button>
        <button type="button" className="button button-large" onClick={() => print()}>
          {receipt.print}
        </button>
      </div>
      <p className="enquiry-form-received-link" role="status">
        {link === 'sent' && receipt.linkSent.replace('{email}', email)}
        {link === 'failed' && receipt.linkFailed}
      </p>
    </section>
  )
}

function takeFocus(receipt: HTMLElement | null) {
  receipt?.scrollIntoView()
  receipt?.focus({ preventScroll: true })
}
