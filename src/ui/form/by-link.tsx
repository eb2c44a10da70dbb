import { type ReactNode, useEffect, useId, useState } from 'react'
import type * as z from 'zod/mini'
import { ApiError } from '../../http/api-client.ts'
import { fieldErrors } from '../../http/field-errors.ts'
import { errorsOfFailure, useFormErrors } from './field.tsx'
import { usePressGuard } from './press-guard.ts'

/** What a link with a token leads to, which may have been used, or be too old. */

type State<Opened> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'open'; readonly opened: Opened }
  | { readonly kind: 'failed'; readonly message: string; readonly mayRetry: boolean }

interface ByLinkProps<Opened> {
  /** Empty without one. */
  readonly token: string
  /** Asks the server what the link is for. It is the same function each time. */
  readonly open: (token: string) => Promise<Opened>
  /** What the server says of every link that does not work. */
  readonly invalid: string
  /** The heading over it. */
  readonly title: string
  /** What somebody can do then. */
  readonly otherwise: ReactNode
  readonly children: (opened: Opened, onInvalid: () => void) => ReactNode
}

export function ByLink<Opened>({ token, open, invalid, title, otherwise, children }: ByLinkProps<Opened>) {
  const notWorking: State<Opened> = { kind: 'failed', message: invalid, mayRetry: false }
  const [state, setState] = useState<State<Opened>>(token ? { kind: 'loading' } : notWorking)

  useEffect(() => {
    if (token && state.kind === 'loading')
      open(token).then(
        opened => setState({ kind: 'open', opened }),
        error => setState({ kind: 'failed', message: error.message, mayRetry: !isRefused(error) }),
      )
  }, [token, state, open])

  if (state.kind === 'open') return children(state.opened, () => setState(notWorking))
  if (state.kind === 'loading')
    return (
      <p className="shell-loading" role="status">
        <span className="spinner" /> Loading …
      </p>
    )
  return (
    <section className="panel sign-in-panel" role="alert">
      <h1>{title}</h1>
      <p>{state.message}</p>
      {state.mayRetry ? (
        <button
          type="button"
          className="button button-primary button-large"
          onClick={() => setState({ kind: 'loading' })}
        >
          Try again
        </button>
      ) : (
        otherwise
      )}
    </section>
  )
}

const isRefused = (error: unknown) => error instanceof ApiError && error.status === 400

interface LinkFormOptions<Input> {
  readonly schema: z.ZodMiniType<Input>
  readonly send: (input: Input) => Promise<unknown>
  readonly invalid: string
  readonly onInvalid: () => void
  /** What is said about a failure without words of its own. */
  readonly failed: string
}

/** The form behind such a link. It stays busy after it has sent: something else takes its place. */
export function useLinkForm<Input>({ schema, send, invalid, onInvalid, failed }: LinkFormOptions<Input>) {
  const id = useId()
  const [errors, showErrors] = useFormErrors(id)
  const [failure, setFailure] = useState('')
  const [isBusy, setBusy] = useState(false)
  const once = usePressGuard()

  async function run(input: Input) {
    setBusy(true)
    try {
      await send(input)
    } catch (error) {
      if (error instanceof ApiError && error.message === invalid) return onInvalid()
      setBusy(false)
      showErrors(errorsOfFailure(error))
      setFailure((error instanceof Error && error.message) || failed)
    }
  }

  function submit(typed: object) {
    if (isBusy) return
    const checked = schema.safeParse(typed)
    setFailure('')
    showErrors(fieldErrors(checked.error?.issues ?? []))
    if (checked.success) once(() => run(checked.data), JSON.stringify(typed))
  }

  return { id, errors, failure, isBusy, submit }
}

interface LinkFormProps {
  readonly form: Pick<ReturnType<typeof useLinkForm>, 'id' | 'failure' | 'isBusy' | 'submit'>
  /** As the schema takes it. */
  readonly typed: object
  readonly title: string
  readonly lead: string
  /** The button, at rest and while it sends. */
  readonly action: string
  readonly busy: string
  readonly children: ReactNode
}

export function LinkForm({ form, typed, title, lead, action, busy, children }: LinkFormProps) {
  const { id, failure, isBusy, submit } = form
  return (
    <form
      id={id}
      className="panel sign-in-panel"
      noValidate
      aria-busy={isBusy}
      onSubmit={event => {
        event.preventDefault()
        submit(typed)
      }}
    >
      <h1>{title}</h1>
      <p>{lead}</p>
      {failure && (
        <div className="error-summary" role="alert">
          <p>{failure}</p>
        </div>
      )}
      {children}
      <button type="submit" className="button button-primary button-large" aria-disabled={isBusy}>
        {isBusy ? busy : action}
      </button>
    </form>
  )
}
