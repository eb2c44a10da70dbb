import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { call } from '../../../ui/client.ts'
import { CheckField, TextField } from '../../../ui/form/field.tsx'
import { useWrite } from '../../../ui/form/use-write.ts'
import { showFailure, showToast } from '../../../ui/toast/toast.ts'
import { callQuery, readStale } from '../../../ui/use-call.ts'
import { type MailState, settings, TestDigits, type WaitingView } from '../contract.ts'

interface PartHeadProps {
  /** Left out where the other parts are. */
  readonly at: 1 | 2 | 3 | null
  readonly id?: string
  readonly children: string
}

/** Of the three parts in which a provider comes into use: who it is, an email through it, and the digits of that. */
export function PartHead({ at, id, children }: PartHeadProps) {
  const Heading = at === 2 || at === 3 ? 'h3' : 'h2'
  return (
    <Heading id={id} className="line settings-part">
      {at && (
        <span className="settings-number" aria-hidden="true">
          {at}
        </span>
      )}
      {children}
    </Heading>
  )
}

/** How a provider that waits comes into use: by the digits of its test email, or all the same. */
export function MailTrial({ waiting }: { waiting: WaitingView }) {
  const client = useQueryClient()
  const decide = useWrite({
    mutationFn: send,
    onSuccess(state, decision) {
      keepMailState(state, decision, client)
      const description =
        decision === 'discard' ? 'Emails are sent as before.' : 'Emails are sent this way from now on.'
      // Here, because what was pressed is gone by then.
      showToast({ title: 'Settings Updated', description })
    },
    onSettled: () => readStale(client, settings.confirmMail),
  })
  const run = (decision: Decision, onError: (error: Error) => void) => decide.mutate(decision, { onError })
  const showError = (error: Error) => showFailure(FAILED, error, FAILED)
  return (
    <>
      <DigitsForm
        waiting={waiting}
        isBusy={decide.isPending}
        onEntered={(code, onError) => run({ code }, onError)}
      />
      <UseAllTheSame isBusy={decide.isPending} onChosen={() => run('use', showError)} />
      <Button kind="quiet" isIdle={decide.isPending} onClick={() => run('discard', showError)}>
        Discard {waiting.name}
      </Button>
    </>
  )
}

const FAILED = 'Failed to update setting'

type Decision = { readonly code: string } | 'use' | 'discard'

async function send(decision: Decision): Promise<MailState> {
  if (decision === 'use') return await call(settings.useMail, {})
  if (decision === 'discard') return await call(settings.discardMail, {})
  return await call(settings.confirmMail, decision)
}

/** Shows at once how emails are sent after a change. */
export function keepMailState(state: MailState, _change: unknown, client: QueryClient): undefined {
  client.setQueryData(callQuery(settings.mail, {}).queryKey, state)
}

interface DigitsFormProps {
  readonly waiting: WaitingView
  readonly isBusy: boolean
  readonly onEntered: (code: string, onError: (error: Error) => void) => void
}

function DigitsForm({ waiting: { test }, isBusy, onEntered }: DigitsFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [digits, setDigits] = useState('')
  const [error, setError] = useState<string>()
  const isOpen = test?.isOpen ?? false
  const sentAt = isOpen && !test?.reason ? test?.at : undefined

  // Once the email is out, its digits are what comes next. Not when the screen opens: nobody has pressed anything yet.
  const lastSent = useRef(sentAt)
  useEffect(() => {
    if (sentAt && sentAt !== lastSent.current) form.current?.querySelector('input')?.focus()
    lastSent.current = sentAt
  }, [sentAt])

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy || !isOpen) return
    const checked = TestDigits.safeParse({ code: digits })
    if (!checked.success) return setError(checked.error.issues[0]?.message)
    setError(undefined)
    onEntered(digits, failure => {
      setError(failure.message)
      form.current?.querySelector('input')?.select()
    })
  }

  return (
    <form ref={form} className="settings-digits" noValidate onSubmit={submit} aria-busy={isBusy}>
      <PartHead at={3}>The six digits from that email</PartHead>
      <TextField
        label="Six digits"
        name="digits"
        inputMode="numeric"
        autoComplete="off"
        readOnly={!isOpen}
        hint={isOpen ? undefined : WAITING}
        error={error}
        value={digits}
        onValue={text => {
          // They are often pasted with spaces or words around them.
          setDigits(text.replace(/[^0-9]/g, '').slice(0, DIGITS))
          setError(undefined)
        }}
      />
      <button type="submit" className="button button-primary" aria-disabled={isBusy || !isOpen}>
        {isBusy ? 'Checking …' : 'Use this provider'}
      </button>
    </form>
  )
}

const DIGITS = 6
const WAITING = 'Waiting for the email to go out.'

/** The third part, before there is anything to test. */
export function DigitsToCome() {
  return (
    <div className="settings-digits">
      <PartHead at={3}>The six digits from that email</PartHead>
      <TextField label="Six digits" hint={WAITING} readOnly value="" onValue={() => {}} />
    </div>
  )
}

function UseAllTheSame({ isBusy, onChosen }: { isBusy: boolean; onChosen: () => void }) {
  const [isSure, setSure] = useState(false)
  return (
    <details className="small settings-anyway">
      <summary>Use it all the same</summary>
      <p>If the email cannot reach you today. What follows from it:</p>
      <ul>
        <li>
          Sign-in codes are printed on the console of the server, too, until an email has come through: who
          cannot read it cannot sign in.
        </li>
        <li>A red line stands on every screen until then.</li>
        <li>Visitors get no acknowledgement.</li>
      </ul>
      <CheckField label="I can read the console" value={isSure} onValue={setSure} />
      <Button isIdle={!isSure || isBusy} onClick={onChosen}>
        Use it all the same
      </Button>
    </details>
  )
}
