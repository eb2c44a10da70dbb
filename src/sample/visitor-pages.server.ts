import { sources } from './sources.server.ts'
import { fact, heading, line, link, list, page, paragraph, steps, strong, text } from './text.server.ts'

/** Who the site is for, continued. */

const employers = page(
  {
    path: '/employers',
    title: 'Employers: how to sponsor someone from abroad',
    description:
      'You want to employ someone from abroad. What the two main visas ask of your business, and of the person.',
  },
  text(
    paragraph`A sponsor has duties to the Government as well as to the person. It works well when both sides know early what each must bring.`,
    heading('For a time: Skills in Demand, subclass 482'),
    list(
      line`${strong('The stay:')} ${fact('skills-in-demand-length-of-stay')}.`,
      line`${strong('The person’s work:')} ${fact('skills-in-demand-work-experience')}.`,
      line`${strong('Income threshold, Core Skills:')} ${fact('skills-in-demand-core-skills-income-threshold')}.`,
      line`${strong('Income threshold, Specialist Skills:')} ${fact('skills-in-demand-specialist-skills-income-threshold')}.`,
    ),
    paragraph`Read more about ${link('Skills in Demand', '/visas/skills-in-demand-482')}.`,
    heading('To stay: Employer Nomination, subclass 186'),
    list(
      line`${strong('Age:')} ${fact('employer-nomination-age')}.`,
      line`${strong('Direct Entry:')} a listed occupation, a skills assessment, and ${fact('claim-work-subclass-186-direct-entry')} of relevant experience.`,
      line`${strong('Transition:')} ${fact('employer-nomination-work-for-the-transition-stream')}.`,
    ),
    paragraph`Read more about ${link('employer nomination', '/visas/employer-nomination-186')}.`,
    heading('Before you ask us'),
    steps(
      'Write down what the person will do in a normal week. The duties decide the occupation, and not the title.',
      'Check the pay against the threshold of the stream, and against what you pay others for the same work.',
      'Find your business records, your organisation chart and the contract that you would offer.',
      'Ask the person for a passport, a history of work, and proof of qualifications.',
    ),
    paragraph`Your business and the person may both become our clients. If your interests differ, we say so. One of you may then need another agent.`,
    paragraph`Our part and yours are on ${link('how it works', '/how-it-works')}, and the costs on ${link('fees', '/fees')}. ${link('Ask us', '/contact?service=skilled')} about a role.`,
  ),
)

const refusals = page(
  {
    path: '/refusals',
    title: 'After a refusal: what to do first',
    description:
      'Your visa was refused or may be cancelled. What to read first, what to keep, and what we can look at with you.',
  },
  text(
    paragraph`A refusal is hard to read. Read it twice, slowly. Look for the reason, for what you may do now, and for every date.`,
    heading('Today'),
    steps(
      'Find the date on the notice, and how it was sent to you. Your time to act may run from there.',
      'Find the part about review. Note whether a review is possible, who may ask for it, and until when.',
      'Check which visa you hold now, and when it ends. If you are in Australia, this comes before all else.',
      'Do not lodge a new application in a hurry. A second one with the same gap can make things worse.',
    ),
    heading('What you can still do depends on the reason'),
    list(
      line`${strong('A paper was missing.')} Sometimes a review can look at it. Sometimes a new application is the shorter way.`,
      line`${strong('The Department did not believe something.')} Then more of the same papers rarely help. Other evidence may.`,
      line`${strong('A rule was not met.')} Then we look at whether another visa has another rule.`,
      line`${strong('It is about character or false papers.')} Speak to a lawyer or a registered agent before you answer anything.`,
    ),
    heading('What to send us'),
    list(
      'The whole notice, with every page and the email or envelope that it came in.',
      'The application as it was sent, with its papers.',
      'Everything that the Department asked you before it decided, and what you answered.',
    ),
    paragraph`We read them and give you a second opinion in writing, for a fee that you agree to first. See ${link('fees', '/fees')}. If there is nothing left to try, we say so.`,
    paragraph`The ${link('Department of Home Affairs', sources.family.url)} explains each visa. ${link('Ask us today', '/contact')} if a date is close, and put the date in the first line.`,
  ),
)

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
