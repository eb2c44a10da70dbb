import { useEffect, useState } from 'react'
import { seconds } from '../../../platform/clock.ts'
import { Button } from '../../../ui/button.tsx'
import { formatShort } from '../../../ui/dates.ts'
import { ConfirmDialog } from '../../../ui/dialog/dialog.tsx'
import { ErrorState, SkeletonRows } from '../../../ui/list/list-states.tsx'
import { useCall, useChange } from '../../../ui/use-call.ts'
import type { MailState } from '../contract.ts'
import { ConnectForm } from './connect-form.tsx'
import { type importPeriods, type MailInState, mailInSettings } from './contract.ts'
import { keepMailIn } from './keep-mail-in.ts'
import { describeMinutes } from './no-mail.ts'
import { TryIt } from './try-it.tsx'

/** While something moves that somebody looks at. */
const MOVING = seconds(1)
const RESTING = seconds(20)

/** Where mail comes from, whether it comes, and the test of its whole way. */
export function MailIn({ mail }: { mail: MailState }) {
  const { data, error, refetch } = useCall(
    mailInSettings.read,
    {},
    {
      refetchInterval: ({ state: { data } }) =>
        data?.trial?.isRunning || data?.import?.state === 'running' ? MOVING : RESTING,
    },
  )
  if (!data)
    return error ? (
      <ErrorState title="Failed to fetch settings" error={error} onRetry={refetch} />
    ) : (
      <SkeletonRows count={4} />
    )
  return (
    <>
      <NoMailAlert state={data} />
      <div className="settings-stack">
        <section className="panel" aria-labelledby="mail-in">
          <div className="line wrap between">
            <h2 id="mail-in">Mail in</h2>
            <LastFetched state={data} />
          </div>
          {data.source === 'environment' ? <SetOnServer state={data} /> : <ConnectForm state={data} />}
          {data.source !== 'none' && <EarlierMail state={data} />}
          {data.source === 'settings' && <Disconnect />}
        </section>
        <MailOut state={data} mail={mail} />
      </div>
      <TryIt state={data} />
    </>
  )
}

function useMinute(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), seconds(10))
    return () => clearInterval(timer)
  }, [])
  return now
}

function NoMailAlert({ state }: { state: MailInState }) {
  const { noMailSince, failingSince, reason } = state
  const now = useMinute()
  const tryNow = useChange(mailInSettings.fetchNow, {
    done: keepMailIn,
    failed: ['Mail could not be fetched', 'Mail could not be fetched'],
  })
  if (!noMailSince) return null
  return (
    <div className="callout line wrap between snug settings-alert" data-kind="error" role="alert">
      <p>
        <strong>No mail has been fetched for {describeMinutes(noMailSince, now)}.</strong>{' '}
        {reason && failingSince && `${reason}, since ${formatShort(failingSince)}. `}
        Nothing is lost: emails wait in the mailbox, and we try again every few minutes.
      </p>
      <Button isIdle={tryNow.isPending} onClick={() => tryNow.mutate({})}>
        Try now
      </Button>
    </div>
  )
}

function LastFetched({ state }: { state: MailInState }) {
  const { lastFetchedAt, noMailSince, failingSince, source } = state
  const now = useMinute()
  if (source === 'none') return <span className="badge">Not connected</span>
  const kind = noMailSince ? 'danger' : failingSince ? 'warning' : 'strong'
  return (
    <span className="badge figures" data-kind={kind}>
      {lastFetchedAt
        ? `Last fetched ${formatShort(lastFetchedAt)}, ${describeMinutes(lastFetchedAt, now)} ago`
        : 'Connected, nothing fetched yet'}
    </span>
  )
}

function SetOnServer({ state: { mailbox } }: { state: MailInState }) {
  return (
    <p className="callout small settings-source">
      Mail is fetched from <strong>{mailbox?.user}</strong> at {mailbox?.host}, folder {mailbox?.folder}. This
      is set on the server: to change it here, ask the person who runs the server to remove IMAP_URL.
    </p>
  )
}

const periods: readonly (readonly [(typeof importPeriods)[number], string])[] = [
  ['3', '3 months'],
  ['12', '12 months'],
  ['all', 'All'],
]

/** Mail from before the mailbox was connected, which comes in only if somebody asks for it. */
function EarlierMail({ state }: { state: MailInState }) {
  const begin = useChange(mailInSettings.import, { done: keepMailIn, failed: IMPORT_FAILED })
  const stop = useChange(mailInSettings.stopImport, { done: keepMailIn, failed: IMPORT_FAILED })
  const { import: current } = state
  const isRunning = current?.state === 'running'
  return (
    <section className="settings-earlier" aria-labelledby="earlier-mail">
      <h3 id="earlier-mail">Earlier mail</h3>
      <p className="quiet small">
        Mail is taken in from the moment you connect. Older emails come in closed and read, without notices.
      </p>
      {isRunning ? (
        <div className="line wrap">
          <progress aria-label="Earlier mail" max={Math.max(1, current.total)} value={current.done} />
          <span className="small figures" role="status">
            {current.done.toLocaleString('en-AU')} of {current.total.toLocaleString('en-AU')}
          </span>
          <Button isIdle={stop.isPending} onClick={() => stop.mutate({})}>
            Stop the import
          </Button>
        </div>
      ) : (
        <div className="line wrap">
          {periods.map(([months, name]) => (
            <Button key={months} isIdle={begin.isPending} onClick={() => begin.mutate({ months })}>
              Import {name === 'All' ? 'all' : name}
            </Button>
          ))}
          <span className="small quiet" role="status">
            {current && describeImport(current)}
          </span>
        </div>
      )}
    </section>
  )
}

const IMPORT_FAILED = ['The import was not changed', 'The import was not changed'] as const

function describeImport({ state, done, total }: NonNullable<MailInState['import']>): string {
  const count = `${done.toLocaleString('en-AU')} ${done === 1 ? 'email' : 'emails'}`
  if (state === 'done') return `${count} looked at. The import is complete.`
  return `Stopped after ${done.toLocaleString('en-AU')} of ${total.toLocaleString('en-AU')}. The same choice goes on from there.`
}

/** What was fetched stays. */
function Disconnect() {
  const [isAsking, setAsking] = useState(false)
  const disconnect = useChange(mailInSettings.disconnect, {
    done(state, sent, client) {
      keepMailIn(state, sent, client)
      return { title: 'Settings Updated', description: 'No mail is fetched any more. What came stays.' }
    },
    failed: ['The mailbox was not disconnected', 'The mailbox was not disconnected'],
  })
  return (
    <p className="settings-disconnect">
      <Button kind="danger-quiet" onClick={() => setAsking(true)}>
        Disconnect
      </Button>
      {isAsking && (
        <ConfirmDialog
          title="Disconnect the mailbox"
          question="No mail is fetched any more, and the password or sign-in is deleted here. What was fetched stays, and so does everything in the mailbox."
          action="Disconnect"
          isBusy={disconnect.isPending}
          onConfirm={() => disconnect.mutate({}, { onSettled: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        />
      )}
    </p>
  )
}

const carriers: Readonly<Record<MailState['source'], string>> = {
  mailchimp: 'Mailchimp Transactional',
  environment: 'The mail relay that is set on the server',
  settings: 'The mail server of the settings',
  mailbox: 'Nobody: emails stay on this server',
}

function MailOut({ state, mail }: { state: MailInState; mail: MailState }) {
  const address = state.mailbox?.address
  const isPlus = state.plusAddresses !== false
  return (
    <section className="panel" aria-labelledby="mail-out">
      <h2 id="mail-out">Mail out</h2>
      <dl className="facts settings-facts break">
        <div>
          <dt>Carried by</dt>
          <dd>{mail.source === 'settings' && mail.host ? mail.host : carriers[mail.source]}</dd>
        </div>
        <div>
          <dt>From</dt>
          <dd>{mail.sender}</dd>
        </div>
        <div>
          <dt>Answers come to</dt>
          <dd>{address ? (isPlus ? address.replace(/@/, '+token@') : address) : 'your own mail program'}</dd>
        </div>
      </dl>
      {state.passedOver > 0 && (
        <p className="small quiet">
          {state.passedOver === 1 ? '1 email' : `${state.passedOver} emails`} could not be taken in, and stay
          in the mailbox. The log says which; they are tried again within the hour.
        </p>
      )}
      <p className="small">
        <a href="/settings?tab=email">Change how emails are sent</a>
      </p>
    </section>
  )
}
