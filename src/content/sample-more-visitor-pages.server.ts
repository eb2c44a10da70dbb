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

/** Who the site is for, continued. */

export const employers = page(
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

export const refusals = page(
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
