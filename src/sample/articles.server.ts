import { sampleContent } from './site.server.ts'
import { article, fact, heading, line, link, list, paragraph, steps, strong, text } from './text.server.ts'

const author = sampleContent.agent.name
const ENGLISH = 'https://immi.homeaffairs.gov.au/help-support/meeting-our-requirements/english-language'

export const articles = [
  article(
    {
      path: '/news/skills-in-demand-pay',
      title: 'What an employer must pay for a Skills in Demand visa',
      description:
        'Two streams of subclass 482 have an income threshold. New amounts have applied since July 2026. What they mean for a job offer.',
      author,
      liveFrom: '2026-07-06T00:00:00.000Z',
    },
    text(
      paragraph`New thresholds have applied since July 2026. A job that pays less does not fit the stream, however well the person fits the job.`,
      list(
        line`${strong('Core Skills:')} ${fact('skills-in-demand-core-skills-income-threshold')}.`,
        line`${strong('Specialist Skills:')} ${fact('skills-in-demand-specialist-skills-income-threshold')}.`,
      ),
      paragraph`Subclass 482 has a third stream, Labour Agreement. There the agreement between the employer and the Government decides.`,
      heading('Which stream is yours'),
      paragraph`Core Skills is for the ${fact('claim-occupations-on-the-core-skills-list')} occupations on the Core Skills Occupation List. Compare your duties with the occupation, and not only your title.`,
      paragraph`Specialist Skills is the stream with the higher threshold. If the offer is above it, ask whether your occupation fits that stream.`,
      heading('If you have an offer'),
      steps(
        'Look at the yearly pay in the contract. Ask which parts of it are certain.',
        'Ask your employer which stream they have in mind, and whether they are an approved sponsor.',
        line`Check your work history. The visa asks for ${fact('skills-in-demand-work-experience')}.`,
        'Ask for references early, while you still work there. They need your dates, hours and duties.',
      ),
      heading('If the offer is below the threshold'),
      paragraph`Do not let anyone raise it on paper only. What the contract says must be what you are paid. Another visa may fit the job as it is.`,
      paragraph`Read the page about ${link('Skills in Demand, subclass 482', '/visas/skills-in-demand-482')}, or our page ${link('for employers', '/employers')}. This is general information. ${link('Ask us', '/contact?service=skilled')} about your own case.`,
    ),
  ),
  article(
    {
      path: '/news/english-test-dates',
      title: 'Why the date of your English test matters',
      description:
        'The scores that count changed in August 2025. Which ones apply to you depends on the day of your test.',
      author,
      liveFrom: '2026-07-20T00:00:00.000Z',
    },
    text(
      paragraph`Two friends sit the same kind of test and get the same scores. One meets the level and the other does not. The difference can be the date.`,
      heading('What changed'),
      paragraph`Since August 2025 new scores apply to tests from then on. Older tests are measured by the older table. So look at the day of your test before you look at your scores.`,
      heading('One score for each skill'),
      paragraph`A level can ask for a different score in listening, reading, writing and speaking. A good total does not help if one skill is below its line.`,
      heading('Before you book'),
      steps(
        'Find out which level your visa asks for. For points, a higher level can be worth the effort.',
        'Check that the Department accepts the test on the day that you sit it. Not every test was accepted earlier.',
        'Compare each skill with the table for that date.',
        'Leave time for a second try before your visa or your invitation ends.',
      ),
      heading('What English is worth'),
      paragraph`In the points test for subclasses 189, 190 and 491, English counts as follows: ${fact('points-for-english')}.`,
      paragraph`The scores of each test are on the Department’s page about ${link('English language', ENGLISH)}. We do not copy them here, because they change and every digit matters.`,
      paragraph`See also how ${link('all points add up', '/graduates')}. If your test is from before August 2025, ${link('send us its date', '/contact?form=visa-assessment')} with your question.`,
    ),
  ),
]
