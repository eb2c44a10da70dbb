import { CALLS_PER_MINUTE } from '../../http/endpoint.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ErrorState, SkeletonRows } from '../../ui/list/list-states.tsx'
import { useCall } from '../../ui/use-call.ts'
import { apiReference } from './contract.ts'
import { Reference } from './reference.tsx'

/** How a program calls this installation, with a reference of all calls. */
export function Documentation() {
  // It changes only with a new version.
  const reference = useCall(apiReference.read, {}, { staleTime: Number.POSITIVE_INFINITY })
  const baseUrl = reference.data?.servers[0]?.url ?? location.origin
  return (
    <div className="api-tokens-documentation">
      <section>
        <h2>Authentication</h2>
        <p>
          Send the token as a Bearer token in the <code>Authorization</code> header of each request. It has
          the role of the user it was made for, and can do what they can do, except what needs a person: their
          sign-in, sessions and profile, users, tokens and changes of settings. Such a call returns{' '}
          <code>403</code> with the code <code>session_required</code>; the reference marks each one.
        </p>
        <Example label="Show which user the token acts as">
          {`curl --header "Authorization: Bearer $LANDFALL_TOKEN" "${baseUrl}/api/auth/me"`}
        </Example>
        <Example label="Read the ten newest messages">
          {`curl --header "Authorization: Bearer $LANDFALL_TOKEN" "${baseUrl}/api/messages?limit=10"`}
        </Example>
        <Example label="Mark a message as read">
          {`curl --request PUT --header "Authorization: Bearer $LANDFALL_TOKEN" "${baseUrl}/api/messages/$MESSAGE_ID/read"`}
        </Example>
        <p>
          The examples take the token from an environment variable, so that it is saved in no file and no
          shell history: run <code>read -rs LANDFALL_TOKEN && export LANDFALL_TOKEN</code>, paste it, and
          press Enter.
        </p>
      </section>
      <section>
        <h2>Responses</h2>
        <p>
          Every response is JSON with <code>success</code>. An error has a <code>message</code> for people and
          a <code>requestId</code> to find it in the log. A token that is unknown, expired or revoked gets{' '}
          <code>401</code>; a call that its user may not make gets <code>403</code>.
        </p>
      </section>
      <section>
        <h2>Security practices</h2>
        <ul className="api-tokens-documentation-list">
          <li>Keep tokens out of source code, web pages and chats. Anyone who has one can use it.</li>
          <li>Create one token for each program, and describe where it is used.</li>
          <li>
            Choose the shortest expiration that will do, and a user whose role allows no more than needed.
          </li>
          <li>Send tokens over https only.</li>
          <li>
            Revoke a token as soon as it is no longer used or may have been seen. It stops working
            immediately.
          </li>
        </ul>
      </section>
      <section>
        <h2>Rate limiting</h2>
        <p>
          Each token may make {CALLS_PER_MINUTE} requests a minute. Requests in excess of that are temporarily
          blocked: they return <code>429</code>, and <code>Retry-After</code> gives the seconds to wait.
        </p>
      </section>
      <section aria-labelledby="reference">
        <h2 id="reference">Reference</h2>
        <p>
          For tools, the same as <a href="/api/openapi.json">OpenAPI 3.1</a>.
        </p>
        {reference.isPending && <SkeletonRows />}
        {reference.isError && (
          <ErrorState
            title="The reference could not be loaded"
            error={reference.error}
            onRetry={() => reference.refetch()}
          />
        )}
        {reference.data && <Reference document={reference.data} />}
      </section>
    </div>
  )
}

function Example({ label, children }: { label: string; children: string }) {
  return (
    <figure className="api-tokens-example">
      <figcaption>{label}</figcaption>
      <pre className="code api-tokens-code">
        <code>{children}</code>
      </pre>
      <CopyButton label="Copy" text={children} done={{ title: 'Example copied to clipboard' }} />
    </figure>
  )
}
