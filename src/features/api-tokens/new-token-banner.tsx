import { useEffect, useRef } from 'react'
import { type NewApiToken, typeLabels } from './contract.ts'
import { CopyButton } from './copy-button.tsx'

interface NewTokenBannerProps {
  readonly token: NewApiToken
  /** Called once the secret is on the clipboard, by the button or by hand. */
  readonly onCopied: () => void
  readonly onDismiss: () => void
}

/** Shows the secret of a new token, once, until it is dismissed or the page is left. */
export function NewTokenBanner({ token, onCopied, onDismiss }: NewTokenBannerProps) {
  const banner = useRef<HTMLElement>(null)
  // The button that opened the dialog may be gone, and copying is the next step.
  useEffect(() => banner.current?.querySelector('button')?.focus(), [])
  return (
    <section ref={banner} className="api-tokens-new" aria-label="Your new token" onCopy={onCopied}>
      <h2>Your new token</h2>
      <p>
        {token.description} ({typeLabels[token.token_type]}). Copy it now: it won’t be shown again.
      </p>
      <code className="api-tokens-new-secret">{token.token}</code>
      <div className="api-tokens-new-actions">
        <CopyButton
          className="button button-primary"
          label="Copy token"
          text={token.token}
          onCopied={onCopied}
          done={{ title: 'Token copied to clipboard', description: 'Make sure to store it securely.' }}
        />
        <button type="button" className="button" onClick={onDismiss}>
          Dismiss
        </button>
      </div>
    </section>
  )
}
