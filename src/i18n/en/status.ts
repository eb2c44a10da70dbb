/** The page of an enquiry, for the visitor who sent it. */

/** The page on which a visitor asks for the page of an enquiry. */
export const track = {
  heading: 'Follow your enquiry',
  lead: 'Enter the reference that you got, and your email address. We email you the link to its page.',
  description: 'See how far your enquiry is, and read our answer.',
  reference: 'Reference',
  referenceHint: 'On the page after sending, and in our emails. Such as LF-7K3M-92QD',
  email: 'Email',
  emailHint: 'The one that you wrote in the form',
  send: 'Email me the link',
  sent: 'If this is an enquiry of ours, the link is on its way to your email address. It can take a few minutes. In an hour we send at most five: if none comes, use the newest.',
  have: 'You have a reference?',
  see: 'See how far your enquiry is',
  none: 'No reference?',
  ask: 'Ask a person to look it up',
}

/** The page of an enquiry, for the visitor who sent it. */
export const status = {
  title: 'Your enquiry',
  find: {
    heading: 'The page of your enquiry',
    lead: 'Open the link in our email. Or enter your reference and email address, and we email you a code.',
    /** A browser sends nothing of what the link has. */
    noScript: 'Your browser runs no scripts, so the link in our email leads here.',
    again: 'Enter reference and email address again',
    send: 'Email me a code',
    gone: 'This link no longer works. If your enquiry was erased, nothing is left of it. Otherwise, ask for a code below.',
  },
  /** In the order in which an enquiry goes through them. */
  states: {
    received: { heading: 'We have your enquiry', step: 'Received' },
    read: { heading: 'A person has read your enquiry', step: 'Read by a person' },
    answered: { heading: 'We have answered you', step: 'Answered' },
    closed: { heading: 'Your enquiry is closed', step: 'Closed' },
  },
  answeredBy: (name: string) => `${name} has answered you`,
  hasNew: 'We have your new message',
  hasWithdrawn: 'You have withdrawn your enquiry',
  withdrawn: 'We know that you need no answer any more. You can still write to us below.',
  withdrawnLocked: 'We know that you need no answer any more.',
  steps: 'How far it is',
  now: 'now',
  done: 'done',
  toCome: 'to come',
  answerBy: 'Expect our answer by',
  /** The rest is for a browser that knows another time zone. */
  whereYouAre: 'Where you are, that is',
  said: 'What was written',
  you: 'You',
  us: 'We',
  locked:
    'To read what was written, and to add something, enter the code that we email to the address of this enquiry.',
  sendCode: 'Email me a code',
  sendAnother: 'Email me another code',
  codeSent: 'A code is on its way to the address of this enquiry.',
  /** Where nobody is to learn whether it is. */
  codeSentIfAny:
    'If this is an enquiry of ours, a code is on its way to your email address. In an hour we send at most five: if none comes, use the newest.',
  limited: 'No other code was sent: we send at most five in an hour. Use the one in the newest email.',
  code: 'Code',
  codeHint: 'Six digits, from the newest email. It works for ten minutes.',
  wrong: 'This is not the code of the newest email. Check its six digits, and try again.',
  ended: 'This code no longer works. Ask for another one.',
  open: 'Open',
  openFor: 'Open in this browser for half an hour.',
  add: 'Add something',
  addHint: 'It goes to the person who answers you.',
  addFiles: 'Files',
  filesHint: 'Such as photos of your documents: at most 20, and 15 MB together.',
  addSend: 'Send',
  added: 'We have what you added.',
  withdraw: 'Withdraw my enquiry',
  withdrawHint: 'You need no answer any more. You can write again.',
  withdrawSure: 'Yes, withdraw it',
  yours: 'This enquiry is yours',
  asked: 'You have asked us to erase it. A person decides, and we email you.',
  held: {
    heading: 'Everything you have about me',
    hint: 'Of this enquiry: to read, to print, or as a file.',
    lead: 'This is what we keep of this enquiry. Another enquiry of yours has a page of its own. Notes that our staff write for each other are not part of it.',
    name: 'Name',
    email: 'Email',
    phone: 'Phone',
    service: 'Service',
    received: 'Received',
    emails: 'Emails to you',
    emailKinds: {
      reply: 'an answer',
      acknowledgement: 'that we have received your enquiry',
      visitor: 'a link or a code for this page',
    },
    none: 'None',
    data: 'Download as a file',
    back: 'Back to your enquiry',
  },
  erase: {
    heading: 'Erase my enquiry',
    hint: 'Nobody has answered yet, so it is erased at once, with all else that came from your email address.',
    answered:
      'We have answered you, so a person decides, and says why if not: an agent must keep client files for seven years.',
    what: (enquiries: number) =>
      enquiries === 1
        ? 'Everything that came from your email address, which is this enquiry:'
        : `Everything that came from your email address. These are ${enquiries} enquiries:`,
    final: 'Nobody can undo it.',
    sure: 'Yes, erase everything',
    askSure: 'Ask to erase it all',
    refused: 'We have not erased it:',
  },
  erased: {
    heading: 'It is erased',
    lead: 'Print or keep this page: we no longer know that you wrote to us.',
    isEmailed: 'It is also on its way to you by email, of which we keep nothing.',
    emailed:
      'As was asked for on the page of your enquiry, we have erased everything that came from this email address. Please keep this email: we no longer know that you wrote to us.',
    reference: 'Reference of the erasure',
    when: 'When',
    enquiries: 'Enquiries',
    emails: 'Emails about them',
    files: 'Files',
    mentions: 'Texts in other conversations that named you',
    kept: 'What may still hold it for a while',
    backups: 'Our backups from before now, until they are deleted. If we ever restore one, you stay erased.',
    mailbox: 'Emails that you sent to our mailbox, and those that we sent to you.',
    database:
      'The files of our database server, until others are written over what was deleted, and its log and its own backups, as long as they are kept.',
  },
  other:
    'Another enquiry was opened in this browser since, so nothing was done. Open the link of this one again.',
  tooLate:
    'Nothing was sent or changed: half an hour is over since your code. Ask for a new one below, and try again.',
  filesAgain: 'Your files have to be chosen again.',
  tooLarge: 'That is more than the 15 MB together that fit, so nothing was sent.',
  goBack: 'Go back in your browser, and choose fewer or smaller ones.',
  tooLargeNow: '{size} in {count} files: at most 15 MB in 20 files fit. Remove some.',
  removeFile: 'Remove',
  sending: 'Sending …',
  kept: 'What you wrote, to copy',
  close: 'Close this page on this device',
  closeHint: 'So that nobody else reads it here.',
  private:
    'This page is for you alone, so do not forward its link. It works until 90 days after the last message.',
}
