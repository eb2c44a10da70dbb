import { type ReactNode, useState } from 'react'
import { CopyButton } from '../../ui/copy-button.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { ReadState, useReadFailure } from '../../ui/list/list-states.tsx'
import { useCall } from '../../ui/use-call.ts'
import { settings } from './contract.ts'

/**
 * Compares the address in the bar of the browser with the one that Landfall expects, and explains how a site gets a domain and
 * https. Only a browser can see whether the address works from outside and its certificate is trusted.
 */
export function SiteAddress() {
  const query = useCall(settings.address, {})
  useReadFailure(query.error, 'Failed to check the address')
  return (
    <section className="panel settings-test" aria-labelledby="site-address">
      <h2 id="site-address">Address and https</h2>
      <ReadState query={query} title="Failed to check the address" />
      {query.data && <Checks {...query.data} />}
    </section>
  )
}

interface Checked {
  readonly publicUrl: string
  readonly isProxyIgnored: boolean
}

function Checks({ publicUrl, isProxyIgnored }: Checked) {
  const { origin, protocol, hostname } = window.location
  const isHttps = protocol === 'https:'
  const isSame = origin === publicUrl
  const isLocal = /^(localhost|127\.|\[::1\])/.test(hostname)
  return (
    <>
      <p>What this browser finds at the address in its bar:</p>
      <ul className="settings-checks break">
        {isSame ? (
          <Check isOk>
            Links in pages and emails lead here, to <strong>{publicUrl}</strong>.
          </Check>
        ) : (
          <Check>
            Links in pages and emails lead to <strong>{publicUrl}</strong>, and you are at{' '}
            <strong>{origin}</strong>. <a href={`${publicUrl}/settings`}>Open the other address</a>: if it
            does not open, <code>PUBLIC_URL</code> on the server is wrong.
          </Check>
        )}
        {isLocal && <Check>This address works on this computer only. Visitors need a domain.</Check>}
        {isHttps ? (
          <Check isOk>The connection is encrypted, and this browser trusts the certificate.</Check>
        ) : (
          <Check>
            The connection is not encrypted: what visitors write can be read on the way. Set up https before
            you give anyone the address.
          </Check>
        )}
        {isProxyIgnored && (
          <Check>
            A proxy stands in front, and Landfall is not set up for it: all visitors count as one, so that a
            few of them can use up what is allowed for each. Set <code>TRUST_PROXY</code> to the number of
            proxies.
          </Check>
        )}
      </ul>
      <Guide isOpen={!isHttps} />
    </>
  )
}

function Check({ isOk = false, children }: { isOk?: boolean; children: ReactNode }) {
  return (
    <li data-ok={isOk || undefined}>
      <span aria-hidden="true">{isOk ? '✓' : '✕'}</span>
      <div>
        <span className="visually-hidden">{isOk ? 'Right: ' : 'To do: '}</span>
        {children}
      </div>
    </li>
  )
}

/** From no domain to a site at https, for somebody who does not run the server. */
function Guide({ isOpen }: { isOpen: boolean }) {
  const [typed, setTyped] = useState('')
  const host = toHost(typed)
  const isWrong = typed.trim() !== '' && host === null
  return (
    <details className="details" open={isOpen}>
      <summary>How a site gets an address of its own</summary>
      <ol className="small settings-guide">
        <li>Register a domain with any registrar. One that ends in .com.au needs an ABN.</li>
        <li>
          At the registrar, under DNS, add an A record for <code>www</code> and one for the domain itself.
          Both have the number of your server, such as 203.0.113.7, which its provider knows.
        </li>
        <li>
          Send the text below to the person who runs the server.
          <TextField
            label="Your domain"
            hint="Such as www.agency.com.au"
            value={typed}
            onValue={setTyped}
            error={isWrong ? 'Enter a domain such as www.agency.com.au' : undefined}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            inputMode="url"
          />
          {host && <pre className="code settings-instructions">{instructionsFor(host)}</pre>}
          {host && (
            <CopyButton
              label="Copy"
              text={instructionsFor(host)}
              done={{ title: 'Text copied to clipboard' }}
            />
          )}
        </li>
        <li>
          Open {host ? <a href={`https://${host}/settings`}>https://{host}</a> : 'the new address'} in this
          browser and sign in. It must open without a warning, and all lines above then have a tick.
        </li>
      </ol>
    </details>
  )
}

/** @returns null for what is no domain */
function toHost(typed: string): string | null {
  const text = typed.trim().replace(/^https?:\/\//i, '')
  const url = URL.canParse(`https://${text}`) ? new URL(`https://${text}`) : null
  return url && /^([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(url.hostname) ? url.hostname : null
}

const instructionsFor = (host: string) => `Please serve our Landfall at https://${host}.
1. Put a proxy with a certificate in front of it, such as nginx with certbot (deploy/nginx.conf). It passes on X-Forwarded-For and leads http to https${host.startsWith('www.') ? `, and ${host.slice(4)} to ${host}` : ''}.
2. Set PUBLIC_URL=https://${host}, TRUST_PROXY=1 and HOST=127.0.0.1, and start Landfall again.
docs/operations.md has the details under "A proxy with TLS".`
