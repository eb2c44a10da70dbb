import type { SiteSettings } from './layout.tsx'
import { describeAnswer, officeMoment } from './office-times.ts'
import { officeTime, replyPromise } from './reply-promise.ts'

/**
 * What happens to an enquiry once it is sent, and by when.
 * @param answerBy for an enquiry that was received: when it is answered, or null where that is not known
 */
export function NextSteps({ site, answerBy }: { site: SiteSettings; answerBy?: Date | null }) {
  const isReceived = answerBy !== undefined
  const { reply } = site.texts
  const { agent } = site.content
  const answer = answerBy ? describeAnswerBy(site, answerBy) : describeAnswer(site)
  return (
    <dl className="site-next-steps">
      <div>
        <dt>{isReceived ? reply.now : reply.atOnce}</dt>
        <dd>
          {isReceived ? (agent.name === null ? reply.read : reply.reader(agent.name)) : reply.reference}
        </dd>
      </div>
      {answer && (
        <div>
          <dt>{reply.answer}</dt>
          <dd>{answer}</dd>
        </div>
      )}
      <div>
        <dt>{reply.decide}</dt>
        <dd>{reply.free}</dd>
      </div>
    </dl>
  )
}

/** What staff have promised, and by when that is. */
function describeAnswerBy(site: SiteSettings, answerBy: Date): string {
  const promise = site.content.replyTarget ? `${replyPromise(site)}. ` : ''
  return promise + site.texts.reply.by(officeMoment(site, answerBy), officeTime(site))
}
