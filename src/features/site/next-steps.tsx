import type { SiteSettings } from './layout.tsx'
import { answerHours, officeMoment } from './office-times.ts'
import { officeTime, replyPromise } from './reply-promise.ts'

/**
 * What happens to an enquiry once it is sent, and by when.
 * @param answerBy for an enquiry that was received: when it is answered, or null where that is not known
 */
export function NextSteps({ site, answerBy }: { site: SiteSettings; answerBy?: Date | null }) {
  const isReceived = answerBy !== undefined
  const { reply } = site.texts
  return (
    <dl className="site-next-steps">
      <div>
        <dt>{isReceived ? reply.now : reply.atOnce}</dt>
        <dd>{isReceived ? reply.reader(site.content.agent.name) : reply.reference}</dd>
      </div>
      <div>
        <dt>{reply.answer}</dt>
        <dd>{describeAnswer(site, answerBy)}</dd>
      </div>
      <div>
        <dt>{reply.decide}</dt>
        <dd>{reply.free}</dd>
      </div>
    </dl>
  )
}

/** What staff have promised, and what follows from the office hours. */
function describeAnswer(site: SiteSettings, answerBy: Date | null | undefined): string {
  const { reply } = site.texts
  const promise = site.content.replyTarget ? `${replyPromise(site)}.` : ''
  if (answerBy) return `${promise} ${reply.by(officeMoment(site, answerBy), officeTime(site))}`.trim()
  if (promise) return promise
  const hours = answerHours(site)
  return hours === null ? reply.hours(officeTime(site)) : reply.aim(hours, officeTime(site))
}
