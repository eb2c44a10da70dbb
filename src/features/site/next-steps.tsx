import type { SiteSettings } from './layout.tsx'
import { officeTime, replyPromise } from './reply-promise.ts'

/** What happens to an enquiry once it is sent, and by when. */
export function NextSteps({ site, isReceived = false }: { site: SiteSettings; isReceived?: boolean }) {
  const { reply } = site.texts
  return (
    <dl className="site-next-steps">
      <div>
        <dt>{isReceived ? reply.now : reply.atOnce}</dt>
        <dd>{isReceived ? reply.reader(site.content.agent.name) : reply.reference}</dd>
      </div>
      <div>
        <dt>{reply.answer}</dt>
        <dd>{site.content.replyTarget ? `${replyPromise(site)}.` : reply.hours(officeTime(site))}</dd>
      </div>
      <div>
        <dt>{reply.decide}</dt>
        <dd>{reply.free}</dd>
      </div>
    </dl>
  )
}
