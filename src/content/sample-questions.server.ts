import { CONSUMER_GUIDE } from './consumer-guide.ts'
import { fact, faq, heading, link, page, paragraph, text } from './sample-text.server.ts'

const REGISTER = 'https://portal.mara.gov.au/search-the-register-of-migration-agents/'

export const questions = page(
  {
    path: '/faq',
    title: 'Questions people ask us',
    description:
      'Short answers about your first message, about visas, and about working with a migration agent.',
  },
  text(heading('Before you ask us')),
  faq(
    [
      'What should my first message say?',
      paragraph`Where you are now, which visa you hold, what you hope to do in Australia, and by when. A few lines are enough. Leave out passport numbers and health details until we ask.`,
    ],
    [
      'Who reads my message?',
      paragraph`People who work in this office. Every migration agent has a registration number (MARN), which you can look up in the ${link('public register', REGISTER)}.`,
    ],
    ['When do I get an answer?', paragraph`You can write at any hour. We answer in our office hours.`],
    [
      'Can I write in my own language?',
      paragraph`The page ${link('about us', '/about-us')} names the languages that we speak. Simple English is fine too. Nobody here marks your grammar.`,
    ],
    [
      'Do I need a migration agent?',
      paragraph`No. You may apply on your own, and the Department’s pages are open to everyone. An agent helps most when rules overlap, papers are hard to get, or a visa was refused before.`,
    ],
  ),
  text(heading('About visas')),
  faq(
    [
      'Which visa should I look at first?',
      paragraph`Start with your reason: family, work, or business. Our ${link('list of visas', '/visas')} is sorted that way. If two of them seem to fit, ask us.`,
    ],
    [
      'What do the numbers mean, as in subclass 482?',
      paragraph`Each kind of visa has a number, its subclass. The Department uses the same numbers, so you can look up a visa by its number.`,
    ],
    [
      'How many points do I need for a skilled visa?',
      paragraph`The pass mark is ${fact('general-skilled-migration-pass-mark')}. You also need an invitation, and the pass mark does not bring one by itself.`,
      paragraph`The page about ${link('general skilled migration', '/visas/general-skilled-migration')} shows how points add up.`,
    ],
    [
      'Can I buy my way in with an investment?',
      paragraph`No. Subclass 188 closed to new applications in 2024. The ${link('National Innovation visa', '/visas/national-innovation-858')} does not depend on an investment, and it needs an invitation.`,
    ],
    [
      'How long does a visa take?',
      paragraph`It depends on the visa, and it changes often. The Department publishes current times. Each of our visa pages links to them.`,
    ],
    [
      'Can you promise that I get the visa?',
      paragraph`No, and nobody else can. The Department decides each application by itself. Be careful with anyone who says otherwise.`,
    ],
  ),
  text(heading('Working with us')),
  faq(
    [
      'What does it cost?',
      paragraph`A first question costs nothing. Everything else has a fee that you agree to in writing first. See ${link('what our work costs', '/fees')}.`,
    ],
    [
      'How do I ask about my application?',
      paragraph`Use the form ${link('Track my application', '/contact?form=tracking')}, and give your reference if you have one. We answer by email.`,
    ],
    [
      'What happens to my papers afterwards?',
      paragraph`You get your originals back. The law makes us keep a client’s file for ${fact('what-happens-to-what-you-send-a-client-file-is-kept')}. Read more on the page about ${link('privacy', '/privacy')}.`,
    ],
    [
      'What if I am not happy with your work?',
      paragraph`Please write to us first, so that we can put it right. The ${link('Consumer Guide', CONSUMER_GUIDE)} explains your rights and where you can complain.`,
    ],
  ),
)
