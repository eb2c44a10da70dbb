import { employers, refusals } from './sample-more-visitor-pages.server.ts'
import { sources } from './sample-sources.server.ts'
import {
  fact,
  heading,
  line,
  link,
  list,
  page,
  paragraph,
  steps,
  strong,
  text,
} from './sample-text.server.ts'

/** Who the site is for: a page for each. */

const students = page(
  {
    path: '/students',
    title: 'Students: what to plan before you finish',
    description:
      'You study in Australia, or plan to. What to check now, so that more doors are open when you finish.',
  },
  text(
    paragraph`The last months of a course are late for a plan. You can do a lot earlier, and most of it costs nothing.`,
    heading('While you study'),
    list(
      'Read the conditions of your visa, and keep to them. A broken condition can follow you into the next application.',
      'Write down the end date of your visa, of your course and of your passport. They may be three different days.',
      'Keep every result, every enrolment, every work contract and every pay slip.',
      'If you change your course, your school or your partner, ask first what it means for your visa.',
    ),
    heading('If you think of staying'),
    list(
      line`${strong('Skilled visas count points.')} Australian study and study in a regional area earn ${fact('points-for-study-in-australia')}.`,
      line`${strong('An employer can sponsor you')} if your occupation and the pay fit. Read about ${link('Skills in Demand', '/visas/skills-in-demand-482')}.`,
      line`${strong('A partner')} who is Australian opens ${link('another path', '/partners')}. It has its own rules and its own evidence.`,
    ),
    paragraph`The Department’s ${link('list of visas', sources.family.url)} has all visas for students, with their charges. Near the end of your course, read our page ${link('for graduates', '/graduates')}.`,
    paragraph`Not sure what comes next? ${link('Ask us', '/contact?form=visa-assessment')} while your visa still has months to run.`,
  ),
)

const graduates = page(
  {
    path: '/graduates',
    title: 'Graduates: how points for a visa add up',
    description:
      'You have finished your studies. How points for a skilled visa add up, and what to prepare before you apply.',
  },
  text(
    paragraph`You have a degree and a date on which your visa ends. Work back from that date, because assessments and tests take time.`,
    heading('How the points add up'),
    paragraph`The pass mark for subclasses 189, 190 and 491 is ${fact('general-skilled-migration-pass-mark')}. Each line below counts on its own.`,
    list(
      line`${strong('Age:')} ${fact('points-for-age')}.`,
      line`${strong('English:')} ${fact('points-for-english')}.`,
      line`${strong('Your highest qualification:')} ${fact('points-for-a-qualification')}.`,
      line`${strong('Skilled work in Australia:')} ${fact('points-for-work-in-australia')}.`,
      line`${strong('Skilled work overseas:')} ${fact('points-for-work-overseas')}.`,
      line`${strong('Both kinds of work:')} ${fact('points-for-all-work')}.`,
      line`${strong('Australian study, regional study, a community language, a professional year:')} ${fact('points-for-study-in-australia')}.`,
      line`${strong('An Australian research master or doctorate in a specialist field:')} ${fact('points-for-research')}.`,
      line`${strong('No partner, or one who is a citizen or permanent resident:')} ${fact('points-without-a-partner')}.`,
      line`${strong('A partner with skills, English and a listed occupation, under the age limit:')} ${fact('points-for-a-skilled-partner')}.`,
      line`${strong('A partner with competent English only:')} ${fact('points-for-a-partner-with-english')}.`,
    ),
    paragraph`A nomination or a family sponsor adds more. See ${link('general skilled migration', '/visas/general-skilled-migration')}. Points decide only whether you can be invited, and not when.`,
  ),
  text(
    heading('What to prepare'),
    steps(
      'Find the code of your occupation. Two employers may give the same job different names.',
      'Find out which body assesses that occupation, and what it asks for.',
      'Book an English test that you can sit again if you need to.',
      'Ask for references while people still remember you: dates, hours and duties.',
    ),
    heading('If your points are not enough'),
    list(
      [link('Work for an employer who sponsors you', '/visas/skills-in-demand-482')],
      [link('See whether an employer can nominate you to stay', '/visas/employer-nomination-186')],
      [link('Read why the date of your English test matters', '/news/english-test-dates')],
    ),
    paragraph`Send us your dates and your occupation, and we ${link('look at them with you', '/contact?form=visa-assessment')}.`,
  ),
)

const partners = page(
  {
    path: '/partners',
    title: 'Partners and families: which visa, which proof',
    description:
      'Your partner or family is in Australia. Which visas to read about, and how to show a relationship on paper.',
  },
  text(
    paragraph`You know that your relationship is real. Someone who has never met you has to see it from papers. That is most of the work.`,
    heading('Which visa to read about'),
    list(
      line`${strong('You are in Australia:')} subclasses 820 and 801. The temporary visa comes first, and the permanent one later.`,
      line`${strong('You are outside Australia:')} subclasses 309 and 100.`,
      line`${strong('You plan to marry:')} subclass 300.`,
      line`${strong('It is about a child, a parent, a carer or a remaining relative:')} each has its own visas. They are on the page about ${link('family migration', '/visas/family-migration')}.`,
    ),
    paragraph`The permanent stage of a partner visa comes ${fact('family-migration-permanent-stage-of-a-partner-visa')}. Keep collecting evidence until then.`,
    heading('Four kinds of evidence'),
    list(
      line`${strong('Money:')} a shared account, rent, bills, things that you bought together.`,
      line`${strong('Home:')} where you live, since when, and who does what.`,
      line`${strong('Other people:')} invitations, trips with family, statements of friends who know you both.`,
      line`${strong('The two of you:')} how you met, how you stay in touch when apart, what you plan.`,
    ),
    heading('What to avoid'),
    list(
      'A hundred photos, and nothing about money or home.',
      'Dates in one form that do not fit the dates in another.',
      'A stay in Australia that ends before the application is ready.',
    ),
    paragraph`Violence at home is never the price of a visa. If you are not safe, call the police first. Then ask any registered agent or lawyer about your visa, alone.`,
    paragraph`${link('Ask us', '/contact?service=family')} about your family. Where you both are, and since when, is a good start.`,
  ),
)

export const visitorPages = [students, graduates, partners, employers, refusals]
