import { useQueryClient } from '@tanstack/react-query'
import { Button } from '../../ui/button.tsx'
import { call } from '../../ui/client.ts'
import { useWrite } from '../../ui/form/use-write.ts'
import { showFailure } from '../../ui/toast/toast.ts'
import { keyOf } from '../../ui/use-call.ts'
import { useMedia } from '../../ui/use-media.ts'
import { settings } from '../settings/contract.ts'
import {
  dashboard,
  describeDone,
  type FirstStep,
  isOptional,
  type OptionalStep,
  type FirstSteps as Steps,
} from './contract.ts'

const labels: Record<FirstStep, string> = {
  name: 'Enter the site’s name and phone number',
  address: 'Enter your legal name, ABN and contact details',
  agent: 'Enter the agent’s name and registration number',
  hours: 'Enter your office hours',
  fees: 'Enter your fees',
  mail: 'Connect a mail provider and test it',
  domain: 'Give the site an address of its own, with https',
  admin: 'Give the first admin an address that receives mail',
  portrait: 'Add a portrait of the agent',
  testimonials: 'Publish testimonials that your clients agreed to',
  claims: 'Prove or replace the sample claims',
  samples: 'Edit or remove the other samples',
}

/** What visitors look for on a site, and do not see while it is a sample. */
const shown: Partial<Record<FirstStep, string>> = {
  name: 'the phone number',
  address: 'the legal name, ABN and contact details',
  agent: 'the agent and the registration number',
  hours: 'the office hours',
  fees: 'the fees',
}

/** From this width all steps have room. `dashboard.css` has the same. */
const WIDE = '(width >= 900px)'

/** What a new installation still needs, with a link to the place of each. It goes once everything is done. */
export function FirstSteps({ steps, isPublic }: Steps) {
  const isWide = useMedia(WIDE)
  const open = steps.filter(({ isDone, isNeeded }) => !isDone && isNeeded)
  const [next] = open
  return (
    <section className="panel dashboard-steps" aria-labelledby="first-steps">
      <div className="line wrap between small dashboard-panel-head">
        <h2 id="first-steps">First steps</h2>
        <span className="quiet">
          {describeDone(steps).words}. <a href="/first-steps/next">Step by step</a>
        </span>
      </div>
      {isPublic && <SampleWarning steps={open} />}
      {next && (
        <p className="line between small screen-only dashboard-steps-next">
          <span>Next: {labels[next.step]}</span>
          <a className="button button-primary" href={next.href}>
            Start
          </a>
        </p>
      )}
      <details key={String(isWide)} open={isWide}>
        <summary className="fold small screen-only">All steps</summary>
        <ul>
          {steps.map(step => (
            <Step key={step.step} {...step} />
          ))}
        </ul>
      </details>
    </section>
  )
}

type StepState = Steps['steps'][number]

function Step({ step, isDone, isNeeded, href, missing }: StepState) {
  return (
    <li data-done={isDone || !isNeeded || undefined}>
      <span className="dashboard-steps-mark" aria-hidden="true">
        {isDone ? '✓' : isNeeded ? '' : '–'}
      </span>
      <div>
        {isDone ? <span>{labels[step]}</span> : <a href={href}>{labels[step]}</a>}
        {isDone && <span className="visually-hidden">, done</span>}
        {!isDone && isNeeded && <MissingList missing={missing} />}
        {step === 'admin' && !isDone && (
          <p className="field-hint">
            On the server: <code>npm run staff:email -- OLD NEW</code>
          </p>
        )}
        {!isDone && isOptional(step) && <SkipButton step={step} isNeeded={isNeeded} />}
      </div>
    </li>
  )
}

/** Why the step is open, unless that is the step itself. */
function MissingList({ missing }: Pick<StepState, 'missing'>) {
  if (missing.length < 2)
    return (
      missing[0] && <span className="line wrap quiet tiny dashboard-steps-missing">{missing[0].label}</span>
    )
  return (
    <ul className="line wrap quiet tiny dashboard-steps-missing">
      {missing.map(({ label, href }) => (
        <li key={`${label} ${href}`}>
          <a href={href}>{label}</a>
        </li>
      ))}
    </ul>
  )
}

/** For a step that an agency can do without. */
export function SkipButton({ step, isNeeded }: { step: OptionalStep; isNeeded: boolean }) {
  const skip = useSkipStep()
  return (
    <>
      {!isNeeded && <span className="dashboard-steps-skipped">Not needed. </span>}
      <Button
        kind="link"
        className="dashboard-steps-skip"
        aria-label={`${isNeeded ? 'Not needed' : 'Needed after all'}: ${labels[step]}`}
        isIdle={skip.isPending}
        onClick={() => skip.mutate({ step, isNeeded: !isNeeded })}
      >
        {isNeeded ? 'Not needed' : 'Needed after all'}
      </Button>
    </>
  )
}

/** Says that the agency can do without a first step, or needs it after all. */
function useSkipStep() {
  const client = useQueryClient()
  return useWrite({
    mutationFn: async ({ step, isNeeded }: { step: OptionalStep; isNeeded: boolean }) => {
      // What was loaded with the screen may be out of date.
      const { firstSteps } = await call(dashboard.read, {})
      const skipped = firstSteps?.steps.filter(each => !each.isNeeded).map(each => each.step) ?? []
      const others = skipped.filter(each => isOptional(each) && each !== step)
      const value = [...others, ...(isNeeded ? [] : [step])].join(',')
      await call(settings.change, { key: 'first_steps_not_needed', value })
    },
    onError: error => showFailure('Error', error, 'Failed to save'),
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(dashboard.read) }),
  })
}

/** Strangers read the site, and parts of it are left out because they are made up. */
function SampleWarning({ steps }: { steps: readonly StepState[] }) {
  const read = steps.filter(({ step }) => shown[step])
  if (read.length === 0) return null
  return (
    <div className="warning small dashboard-steps-warning">
      <strong>This site is public.</strong> Visitors do not see what is not yours yet:
      <ul>
        {read.map(({ step, href }) => (
          <li key={step}>
            <a className="dashboard-steps-sample" href={href}>
              {shown[step]}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
