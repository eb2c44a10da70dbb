import { fact, heading, line, link, list, page, paragraph, strong, text } from './sample-text.server.ts'

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
