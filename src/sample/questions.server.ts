import { CONSUMER_GUIDE } from '../content/site-content.ts'
import { fact, faq, heading, line, link, list, page, paragraph, steps, strong, text } from './text.server.ts'

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

/** What the product does with personal data: docs/security.md and docs/operations.md. A change there is one here. */
export const privacy = page(
  {
    path: '/privacy',
    title: 'Privacy: what happens to what you send',
    description:
      'What we keep when you write to us, who reads it, how long it stays, and how to have it corrected or erased.',
  },
  text(
    paragraph`You write to us about your family, your work and your visa. We treat that with care, and we keep no more than we need to answer you.`,
    heading('What we keep when you send the form'),
    list(
      'Your name, email address, phone number and message.',
      'The kind of visa that you ask about, if you chose one.',
      'The date and time, and a reference number, so that we can find your enquiry again.',
      'Whether the check against automatic messages was passed.',
    ),
    paragraph`We use it to answer you, and to work for you if you become our client. We do not sell it, and we send no advertising.`,
    heading('Who reads it'),
    list(
      'People in this office who need it for their work. Each has an account of their own, and reads enquiries only if an admin allows it.',
      'The provider that carries our email. When you write, the office gets an email with what you wrote.',
      'Nobody else, unless you ask us to act for you or the law requires it. The Code of Conduct binds us to keep your affairs confidential.',
    ),
    heading('How long we keep it'),
    list(
      line`${strong('An enquiry that nobody has opened')} is erased after seven years.`,
      line`${strong('An enquiry that we have read')} stays until your question is settled and we delete it, or until you ask us to erase it.`,
      line`${strong('If you become our client,')} your messages join your file. The law makes us keep it for ${fact('what-happens-to-what-you-send-a-client-file-is-kept')}.`,
    ),
  ),
  text(
    heading('Your choices'),
    paragraph`You may ask what we hold about you, and have it corrected or erased. Write to us with the ${link('form', '/contact')}, and give your reference number.`,
    paragraph`When we erase it, we remove your messages, the emails about them in our system, and every trace in our log. Three things take longer:`,
    list(
      'Backup copies hold it until they expire, usually after a month. If we restore one, what was erased is removed again.',
      'Emails that were already sent stay in mailboxes until we delete them there as well.',
      'The file of a client stays for as long as the law says. We then explain what we must keep, and why.',
    ),
    heading('What this site does with your browser'),
    list(
      line`${strong('No analytics and no advertising.')} Nobody follows what you read here. The public pages set no cookies. Only the sign-in for staff does.`,
      line`${strong('Your draft.')} While you write, the form keeps a draft on your own device, for a week at most. Sending the form removes it, and so does the button under it.`,
      line`${strong('The check against automatic messages.')} It may come from Google and load when you use the form. Google then sees your network address and details of your browser. Where Google cannot be reached, you can still write to us.`,
      line`${strong('The map.')} It comes from OpenStreetMap, which then sees your network address. It loads when you open it, or on a fast connection when you scroll to it.`,
      line`${strong('Our log.')} It says when a form was sent or refused, and from which network address and browser. It does not hold what you wrote. Entries are deleted after a year.`,
      line`${strong('Limits.')} For a short time we count how often a network address uses the form, so that nobody can flood it.`,
    ),
    heading('Where your data may go'),
    paragraph`We store your enquiry in our own database. Google, OpenStreetMap and our email provider may handle what they receive outside Australia.`,
    paragraph`Questions about this page? ${link('Ask us', '/contact')}.`,
  ),
)

export const howItWorks = page(
  {
    path: '/how-it-works',
    title: 'How it works, step by step',
    description:
      'From your first question to the decision: what we do, what you do, who decides, and when you pay.',
  },
  text(
    paragraph`You always know which step you are at, who acts next, and what it costs. You can stop after any step.`,
    heading('Before you pay anything'),
    steps(
      'You ask us. Say where you are, which visa you hold, what you hope to do, and by when.',
      'We read your message, and answer in writing during our office hours.',
      'We say which visas are worth reading about. If we see no path for you, we say that too.',
    ),
    heading('A written opinion, if you want one'),
    steps(
      'You sign a written agreement for this step, with its fee, and send us your papers.',
      'We compare them with what the visa asks for. We list what is there, what is missing, and what is weak.',
      'You get our opinion in writing. It is yours to keep, whether you go on with us or alone.',
    ),
    heading('The application'),
    steps(
      'We agree on each step and its fee in writing. You pay the first part.',
      'You gather the evidence with our list. We check each paper when it arrives, and ask when something does not fit.',
      'We fill in the forms with you. You read every answer before it is sent, because it is your statement.',
      'You pay the second part and the Department’s charge. Then we lodge the application.',
      'The Department may ask for more. We explain its request, and answer by its date.',
      'The Department decides. We explain the decision and your next dates. You pay the last part.',
    ),
    paragraph`What each part costs is on the page about ${link('our fees', '/fees')}.`,
  ),
  text(
    heading('What we need from you'),
    list(
      'True answers, even when they are uncomfortable. A mistake that we know about can be explained. One that we do not know about may cost you the visa.',
      'Papers in good time. One certificate that nobody ordered can hold up everything.',
      'News about your life: a new address, a new passport, a new job, a marriage, a child.',
    ),
    heading('What we cannot do'),
    list(
      'We cannot promise a visa. Only the Department decides.',
      'We cannot move you forward in a queue.',
      'We do not send anything that we know to be false, and we do not leave out what must be said.',
    ),
    heading('Where to start reading'),
    list(
      [link('You study, or want to study, in Australia', '/students')],
      [link('You have finished your studies', '/graduates')],
      [link('Your partner is Australian', '/partners')],
      [link('You want to employ someone from abroad', '/employers')],
      [link('Your visa was refused', '/refusals')],
    ),
    paragraph`Or look through ${link('all visas', '/visas')}, read ${link('the questions people ask us', '/faq')}, or ${link('ask us', '/contact')}.`,
  ),
)
