import { heading, link, list, page, paragraph, steps, text } from './sample-text.server.ts'

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
