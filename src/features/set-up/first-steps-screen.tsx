import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { Navigate, useParams } from 'react-router'
import { Button } from '../../ui/button.tsx'
import { lazily } from '../../ui/lazy-part.ts'
import { ReadState, SkeletonRows, useReadFailure } from '../../ui/list/list-states.tsx'
import { meQuery } from '../../ui/me-query.ts'
import { ScreenHead } from '../../ui/screen-head.tsx'
import { useCall } from '../../ui/use-call.ts'
import { samples } from '../content-editor/samples/contract.ts'
import { dashboard, describeDone, type FirstSteps, type FirstStep as Missing } from '../dashboard/contract.ts'
import { SkipButton } from '../dashboard/first-steps.tsx'
import { settings } from '../settings/contract.ts'

const rows = <SkeletonRows count={6} />
const GuidedEditor = lazily(
  async () => (await import('../content-editor/editor/guided-editor.tsx')).GuidedEditor,
  rows,
)
const MailStep = lazily(async () => (await import('./mail-step.tsx')).MailStep, rows)
const SamplesPanel = lazily(
  async () => (await import('../content-editor/samples/samples-panel.tsx')).SamplesPanel,
  rows,
)

interface Step {
  readonly id: string
  readonly title: string
  readonly lead: string
  /** What of the dashboard's list has to be done for it. */
  readonly needs: readonly Missing[]
  readonly content: ReactNode
}

const samplesStep: Step = {
  id: 'samples',
  title: 'Samples',
  lead: 'What is still a sample. Fees and testimonials can wait: visitors do not miss them.',
  needs: ['fees', 'testimonials', 'claims', 'samples'],
  content: <SamplesPanel isPart />,
}

/** In the order in which they are best done. Each can be left and taken up again: what is typed saves itself. */
const steps: readonly Step[] = [
  {
    id: 'you',
    title: 'You',
    lead: 'Your own account, with which you sign in.',
    needs: ['admin'],
    content: <You />,
  },
  {
    id: 'agency',
    title: 'Agency',
    lead: 'Who visitors deal with. It stands at the foot of every page and under every email.',
    needs: ['name', 'address'],
    content: (
      <>
        <GuidedEditor part="agency" />
        <p className="quiet small">
          Your logo, colours and typefaces can wait: <a href="/content?view=brand">Brand</a>
        </p>
      </>
    ),
  },
  {
    id: 'agent',
    title: 'Agent',
    lead: 'The registered agent, with the number under which visitors find them in the register.',
    needs: ['agent', 'portrait'],
    content: (
      <>
        <Portrait />
        <GuidedEditor part="agent" />
      </>
    ),
  },
  {
    id: 'office',
    title: 'Office',
    lead: 'Where you are, and when somebody answers.',
    needs: ['hours'],
    content: <GuidedEditor part="office" />,
  },
  {
    id: 'mail',
    title: 'Mail',
    lead: 'Sign-in codes, notices of new enquiries and your replies go out by mail. We send you one email first.',
    needs: ['mail'],
    content: <MailStep />,
  },
  samplesStep,
]

/** Leads the owner of a new site through what it needs. The URL says which step; `next` is the first that is not done. */
export function Screen() {
  const { step: chosen } = useParams()
  const shown = useRef(chosen)
  // The link to the next step is at the end of this one, and the browser would stay there.
  useEffect(() => {
    if (shown.current !== chosen) window.scrollTo(0, 0)
    shown.current = chosen
  }, [chosen])
  const query = useCall(dashboard.read, {})
  useReadFailure(query.error, 'Failed to fetch the steps')
  if (!query.data)
    return (
      <>
        <ScreenHead title="First steps" />
        <ReadState query={query} title="Failed to fetch the steps" />
      </>
    )
  const { firstSteps } = query.data
  const isDone = ({ needs }: Step) =>
    (firstSteps?.steps ?? []).every(each => !needs.includes(each.step) || each.isDone || !each.isNeeded)
  const open = steps.find(step => !isDone(step))
  const step = steps.find(({ id }) => id === chosen)
  // One that is open stays so, whatever is done meanwhile.
  if (!step) return <Navigate replace to={urlOf(open ?? samplesStep)} />
  const at = steps.indexOf(step)
  const tasks = firstSteps?.steps ?? []
  const { done, words } = describeDone(tasks)
  return (
    <div className="set-up">
      <div className="set-up-side">
        <p className="set-up-title">Set up your site</p>
        <p className="quiet small" role="status">
          {firstSteps ? words : 'Everything is done.'}
        </p>
        <progress max={tasks.length || 1} value={firstSteps ? done : 1} aria-label="First steps done" />
        <nav aria-label="Steps">
          <ol>
            {steps.map((each, number) => (
              <li key={each.id}>
                <a
                  className="focus-inside set-up-step"
                  href={urlOf(each)}
                  aria-current={each === step ? 'step' : undefined}
                >
                  <span className="set-up-mark" aria-hidden="true" data-done={isDone(each) || undefined}>
                    {isDone(each) ? '✓' : number + 1}
                  </span>
                  <span>
                    {each.title}
                    {isDone(each) && <span className="visually-hidden">, done</span>}
                    <MissingOf step={each} firstSteps={firstSteps} />
                  </span>
                </a>
              </li>
            ))}
          </ol>
        </nav>
        <Elsewhere tasks={tasks} />
      </div>
      <div className="set-up-main">
        <ScreenHead title={step.title} />
        <p className="quiet set-up-lead">{step.lead}</p>
        {step.content}
        <p className="line wrap between set-up-foot">
          {at > 0 ? <StepLink step={steps[at - 1]} words="Back" /> : <span />}
          {step.id === 'mail' && !isDone(step) ? (
            <MailLater next={samplesStep} />
          ) : at < steps.length - 1 ? (
            <StepLink step={steps[at + 1]} words="Next" />
          ) : (
            <a className="button" href="/dashboard">
              To the dashboard
            </a>
          )}
        </p>
      </div>
      <Visitors />
    </div>
  )
}

/** What is open and done in none of the steps, such as the address of the site. */
function Elsewhere({ tasks }: { tasks: FirstSteps['steps'] }) {
  const open = tasks.filter(
    ({ step, isDone, isNeeded }) => !isDone && isNeeded && steps.every(({ needs }) => !needs.includes(step)),
  )
  return open.flatMap(({ missing }) =>
    missing.map(({ label, href }) => (
      <p key={label} className="quiet tiny">
        Then: <a href={href}>{label}</a>
      </p>
    )),
  )
}

/** A portrait can wait, or be done without. */
function Portrait() {
  const tasks = useCall(dashboard.read, {}).data?.firstSteps?.steps ?? []
  const portrait = tasks.find(({ step }) => step === 'portrait')
  if (!portrait || portrait.isDone) return null
  return (
    <p className="callout small">
      {portrait.isNeeded
        ? 'A portrait can wait: without one, visitors see the initials of the agent. If it stays so: '
        : 'Visitors see the initials of the agent in place of a portrait. '}
      <SkipButton step="portrait" isNeeded={portrait.isNeeded} />
    </p>
  )
}

const urlOf = ({ id }: Step) => `/first-steps/${id}`

function StepLink({ step, words }: { step: Step | undefined; words: string }) {
  if (!step) return null
  return (
    <a className="button" href={urlOf(step)}>
      {words}: {step.title}
    </a>
  )
}

/** *Next* is there once the digits have come back. Who cannot wait for them goes on by the link. */
function MailLater({ next }: { next: Step }) {
  return (
    <span className="line wrap">
      <a href={urlOf(next)}>Do mail later</a>
      <Button isIdle aria-describedby="mail-first">
        Next: {next.title}
      </Button>
      <span id="mail-first" className="visually-hidden">
        After the six digits.
      </span>
    </span>
  )
}

/** What keeps a step open, in a few words. */
function MissingOf({ step, firstSteps }: { step: Step; firstSteps: FirstSteps | null }) {
  const missing = (firstSteps?.steps ?? [])
    .filter(each => step.needs.includes(each.step) && each.isNeeded)
    .flatMap(each => each.missing.map(({ label }) => label))
  if (missing.length === 0) return null
  const [first, second] = missing
  const more = missing.length > 2 ? ` and ${missing.length - 2} more` : ''
  return (
    <span className="quiet tiny set-up-missing">
      {[first, second].filter(label => label !== undefined).join(', ')}
      {more}
    </span>
  )
}

/** What strangers would read now. */
function Visitors() {
  const found = useCall(samples.list, {}).data?.samples ?? []
  const count = found.length
  return (
    <section className="panel small set-up-visitors" aria-labelledby="visitors">
      <h2 id="visitors">What visitors see now</h2>
      <p>
        {count === 0
          ? 'Nothing invented is left. What you have not edited is text that is true of any agency.'
          : found.some(({ isHidden }) => isHidden)
            ? `${count} samples stay hidden, and the pages close up around them.`
            : `${count} samples are shown, because this is a trial address and not https.`}
      </p>
      <p>
        <a href="/">Look at the site</a>
      </p>
    </section>
  )
}

function You() {
  const { data: me } = useQuery(meQuery)
  const mail = useCall(settings.mail, {}).data
  const { firstSteps } = useCall(dashboard.read, {}).data ?? {}
  if (!me) return null
  const isUnreachable = firstSteps?.steps.some(({ step, isDone }) => step === 'admin' && !isDone)
  return (
    <>
      {isUnreachable && <Unreachable email={me.email} />}
      <dl>
        <dt>Name</dt>
        <dd>{me.name}</dd>
        <dt>Email</dt>
        <dd>{me.email}</dd>
        <dt>Sign-in codes</dt>
        <dd>
          {mail &&
            (mail.source === 'mailbox' || mail.state !== 'working'
              ? 'They are printed on the console of the server until mail works. The browser of the set-up needs none.'
              : 'They come by email.')}
        </dd>
      </dl>
    </>
  )
}

/** The address of the first admin ends in `.test`, where nobody has a mailbox. */
function Unreachable({ email }: { email: string }) {
  return (
    <div className="callout" data-kind="warning">
      <p>
        <strong>No email reaches an address that ends in .test.</strong> You can do all other steps first;
        this one stays open until the first admin has another address.
      </p>
      <p>
        For safety only the server changes it. The person who runs it enters, with your own address in place
        of NEW:{' '}
        <code className="break">npm run staff:email -- {email.endsWith('.test') ? email : 'OLD'} NEW</code>
      </p>
    </div>
  )
}
