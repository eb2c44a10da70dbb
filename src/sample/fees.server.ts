import { CONSUMER_GUIDE } from '../content/site-content.ts'
import { sources } from './sources.server.ts'
import {
  callout,
  faq,
  heading,
  line,
  link,
  list,
  page,
  paragraph,
  strong,
  table,
  text,
} from './text.server.ts'

export const fees = page(
  {
    path: '/fees',
    title: 'What our work costs',
    description:
      'What you pay us, what you pay others, and when. You agree to the total in writing before any work starts.',
  },
  text(
    paragraph`A first question costs nothing. If you want us to work for you, we agree on a fixed fee first. You see each step and its fee before you decide.`,
    heading('What you pay us'),
    paragraph`All our fees are in Australian dollars and include GST. They apply from July 2026.`,
  ),
  table(
    'Each kind of work and its fee',
    ['Work', 'Fee, GST included', 'When you pay', 'What you get'],
    [
      'A first question',
      'Nothing',
      '–',
      'We answer in writing, and name the visas that are worth reading about. To ask one, fill in the form “Visa assessment”.',
    ],
    [
      'Written opinion',
      'AUD 000',
      'Before we start',
      'We read your papers, and say in writing what your plan needs and what is missing.',
    ],
    [
      'Application, one person',
      'AUD 0,000',
      'In three parts',
      'We prepare the forms and the evidence, lodge them, and answer the Department until it decides.',
    ],
    [
      'Each family member in the same application',
      'AUD 000',
      'With the second part',
      'We add them to the forms and the evidence.',
    ],
    [
      'Employer sponsorship',
      'AUD 0,000',
      'In two parts, by the employer',
      'We prepare the sponsorship and the nomination.',
    ],
    [
      'Second opinion',
      'AUD 000',
      'Before we start',
      'We read a refusal or a notice from the Department, and explain what you can still do.',
    ],
  ),
  text(heading('What you pay others')),
  callout(
    'Not part of our fee',
    paragraph`These charges change often, so we do not copy them here. Your agreement lists each one that we know of.`,
  ),
  text(
    list(
      line`${strong('Visa application charge:')} you pay it to the Department of Home Affairs. Its ${link('list of visas', sources.family.url)} has the current charge of each visa.`,
      line`${strong('Skills assessment:')} you pay the body that assesses your occupation.`,
      line`${strong('English test:')} you pay the test centre.`,
      line`${strong('Health examination:')} you pay the clinic.`,
      line`${strong('Police certificates and translations:')} you pay the office that issues them, or the translator.`,
    ),
    paragraph`Sometimes we pay a cost for you, such as a courier. That is called a disbursement. We ask before we spend the money, and you get the receipt.`,
    heading('How we charge'),
    paragraph`The ${link('Code of Conduct', sources.codeOfConduct.url)} binds every migration agent. The ${link('Consumer Guide', CONSUMER_GUIDE)} explains in plain words what you may expect.`,
  ),
  faq(
    [
      'When do I pay?',
      paragraph`After you have signed a written agreement. It lists each step, its fee, the GST and the total. This site takes no payments.`,
    ],
    [
      'Where is the money that I pay in advance?',
      paragraph`Money for work that we have not done yet may be clients’ money. We keep such money in a clients’ account, apart from our own.`,
    ],
    [
      'What if there is more work than we thought?',
      paragraph`We stop and ask you first. A new fee needs a new agreement in writing. You never owe us a fee that you did not agree to.`,
    ],
    [
      'What if I change my mind?',
      paragraph`You can stop. You pay for the steps that are done, and you get your papers back. Your agreement says what happens to money that you paid for later steps.`,
    ],
    [
      'What if the visa is refused?',
      paragraph`Our fee pays for our work, and not for a result. The Department decides. Read ${link('what you can do after a refusal', '/refusals')}.`,
    ],
    [
      'Can I do part of it myself?',
      paragraph`Yes. You may apply without an agent. You can also ask us for one step only, such as a check of your evidence.`,
    ],
  ),
  text(
    paragraph`Not sure what you would need? ${link('Ask us', '/contact')}. Read ${link('how we work', '/how-it-works')} to see when each part is due.`,
  ),
)
