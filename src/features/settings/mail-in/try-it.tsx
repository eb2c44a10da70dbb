import { Button } from '../../../ui/button.tsx'
import { formatShortTime } from '../../../ui/dates.ts'
import { useChange } from '../../../ui/use-call.ts'
import { type MailInState, mailInSettings, type Stop, type StopName, stops } from './contract.ts'
import { keepMailIn } from './keep-mail-in.ts'
import { remedyFor } from './remedies.tsx'

/** One email goes out and comes back: each stop on its way with its time, and what to do at the one that fails. */
export function TryIt({ state }: { state: MailInState }) {
  const test = useChange(mailInSettings.test, {
    done: keepMailIn,
    failed: ['The test did not begin', 'The test did not begin'],
  })
  const { trial } = state
  const isBusy = test.isPending || (trial?.isRunning ?? false)
  const isOff = state.source === 'none'
  return (
    <section className="panel settings-test" aria-labelledby="mail-in-test">
      <div className="line wrap between">
        <h2 id="mail-in-test">Try it</h2>
        {trial && (
          <p className="quiet small">
            {formatShortTime(trial.startedAt)}, {trial.by}
          </p>
        )}
      </div>
      <p className="quiet small">One email goes out and comes back. Each stop on its way:</p>
      <ol className="settings-stops" aria-live="polite">
        {(trial?.stops ?? untried).map(stop => (
          <StopLine key={stop.name} stop={stop} isRunning={isBusy} />
        ))}
      </ol>
      <Button
        {...(!isOff && { kind: 'primary' as const })}
        isIdle={isBusy || isOff}
        onClick={() => test.mutate({})}
      >
        {isBusy ? 'Trying …' : trial ? 'Try it again' : 'Try it'}
      </Button>
      {isOff && <p className="field-hint">Connect a mailbox first.</p>}
    </section>
  )
}

const untried: readonly Stop[] = stops.map(name => ({
  ...{ name, state: 'waiting' as const, time: null, words: null, problem: null },
}))

const names: Readonly<Record<StopName, string>> = {
  'sign-in': 'Signed in to fetch',
  sent: 'Email accepted by the mail server',
  arrived: 'Email lies in the mailbox',
  signed: 'SPF and DKIM name your domain',
  plus: 'Answer address kept its token',
  fetched: 'Fetched into Landfall',
}

const marks: Readonly<Record<Stop['state'], readonly [mark: string, word: string]>> = {
  done: ['✓', 'done'],
  failed: ['⚠', 'failed'],
  lost: ['–', 'not so'],
  running: ['…', 'under way'],
  waiting: ['', 'not reached'],
}

function StopLine({ stop, isRunning }: { stop: Stop; isRunning: boolean }) {
  const { name, time, words, problem } = stop
  // Of a test that was ended, nothing is under way.
  const state = stop.state === 'running' && !isRunning ? 'waiting' : stop.state
  const [mark, word] = marks[state]
  const remedy = state === 'failed' ? remedyFor(problem) : null
  return (
    <li data-state={state}>
      <span className="settings-mark" aria-hidden="true">
        {mark}
      </span>
      <div>
        <p className="settings-stop-name">
          {names[name]}
          <span className="visually-hidden">: {word}</span>
        </p>
        {words && <p className="small">{words}</p>}
        {remedy && <p className="small">{remedy}</p>}
      </div>
      <span className="small figures">
        {state === 'failed' ? 'failed' : time === null ? '' : `${(time / 1000).toFixed(1)} s`}
      </span>
    </li>
  )
}
