/** Every email, for visitors and for staff. */

export const messageTypeLabels = {
  contact: 'Contact Form',
  tracking: 'Tracking Form',
  'visa-assessment': 'Visa Assessment',
  auth: 'Authentication',
  email: 'Email',
}

// Written out where it follows another sentence: a template would keep this text in the portal's script.
const NOT_YOU = 'If this was not you, contact an admin of your agency immediately.'

const REPLY_OUTSIDE =
  'Please answer in the portal. A reply to this email goes to the visitor, and is not kept in Landfall: nobody else there sees it, and the enquiry stays due.'

const ANSWERS_ARE_NOTES =
  'Please answer in the portal. A reply to this email is kept as a note, and is not sent to the visitor.'

export const emails = {
  signature: (agent: string, registrationNumber: string) =>
    `${agent}, registered migration agent, MARN ${registrationNumber}`,
  /** Before each value that an email lists. */
  labels: {
    reference: 'Reference',
    references: 'References',
    more: 'And more',
    received: 'Received',
    name: 'Name',
    email: 'Email',
    phone: 'Phone',
    service: 'Service',
    subject: 'Subject',
    message: 'Message',
    files: 'Files',
    comment: 'Comment',
    newAddress: 'New address',
    browser: 'Browser',
    networkAddress: 'Network address',
    time: 'Time',
    what: 'What',
    who: 'Who',
    admin: 'Admin',
    user: 'User',
    messages: 'Messages',
    setting: 'Setting',
    was: 'Old value',
    is: 'New value',
    effect: 'Effect',
    actsAs: 'Acts as',
    description: 'Description',
    type: 'Type',
    expires: 'Expires',
  },
  /** In the time zone of the office. */
  officeTime: (time: string, zone: string) => `${time}, ${zone} time`,
  enquiry: {
    subject: (reference: string, kind: string, name: string) => `${reference}: ${kind} from ${name}`,
    opening: (kind: string) => `A visitor has sent an enquiry (${kind}).`,
    link: 'Answer it in the portal',
    closing: REPLY_OUTSIDE,
    answersAreNotes: ANSWERS_ARE_NOTES,
  },
  /** A visitor has written by email. */
  mail: {
    subject: (reference: string, name: string) => `${reference}: Email from ${name}`,
    opening: 'A visitor has written by email.',
    /** And where that came from the page of an enquiry. */
    subjectOnPage: (reference: string, name: string) => `${reference}: Message from ${name}`,
    openingOnPage: 'A visitor has written on the page of their enquiry.',
    link: 'Answer it in the portal',
    closing: ANSWERS_ARE_NOTES,
  },
  /** What a member of staff sends to the address of a conversation. */
  keptAsNote: {
    subject: (reference: string) => `${reference}: Kept as a note, not sent to the visitor`,
    opening:
      'Your email was kept as a note, and not sent to the visitor. To answer the visitor, please write a reply in the portal.',
    link: 'Open the enquiry',
  },
  /** To a member of staff who has not looked into the inbox. */
  forYou: {
    subject: (count: number, reference: string) =>
      count === 1 ? `${reference} is waiting for you` : `${count} enquiries are waiting for you`,
    opening: 'Waiting for you:',
    assigned: (colleague: string) => `Assigned to you by ${colleague}`,
    mentioned: (colleague: string) => `${colleague} named you in a note`,
    answered: () => 'A new email has come',
    snoozed: () => 'Your snooze has ended',
    unsent: () => 'Your scheduled reply was not sent',
    colleague: 'a colleague',
    link: 'Open it in the portal',
    closing:
      'You get one such email when you have not looked for two minutes. Edit Profile in the portal lets you choose whether you do.',
  },
  digest: {
    subject: (count: number) => `${count} ${count === 1 ? 'enquiry' : 'enquiries'} in one email`,
    opening:
      'More than 60 enquiries arrived within an hour, so you get one email for all further ones. They are in the inbox like any other.',
    link: 'Open the messages in the portal',
  },
  forward: {
    subject: (reference: string, type: string, name: string) => `Fwd: ${reference}: ${type} from ${name}`,
    opening: (forwardedBy: string) => `${forwardedBy} has forwarded this message to you.`,
    link: 'Answer it in the portal',
    closing: REPLY_OUTSIDE,
    answersAreNotes: ANSWERS_ARE_NOTES,
    types: messageTypeLabels,
  },
  /** To a visitor, from a person: the rest is written by staff. */
  reply: {
    subject: (reference: string) => `Re: Your enquiry ${reference}`,
    quoted: (name: string, date: string, time: string, place: string) =>
      `On ${date} at ${time} (${place} time), ${name} wrote:`,
    more: '[…]',
    /** Before the address of the page of an enquiry, in the acknowledgement too. */
    follow: 'Follow your enquiry, add to it, or withdraw it',
    /** Staff send this with one click. */
    consumerGuide: (url: string) =>
      `Registered migration agents are bound by the Migration Agents Code of Conduct. The Consumer Guide explains in plain words what you may expect of a registered migration agent, and where you can complain. Please read it before you decide to work with us: ${url}`,
  },
  /** To a visitor who has asked for it. */
  statusLink: {
    subject: (reference: string) => `The page of your enquiry ${reference}`,
    opening: (reference: string) =>
      `Somebody, most likely you, has asked for the page of your enquiry ${reference}. It says how far your enquiry is.`,
    link: 'Open the page of your enquiry',
    closing:
      'Keep this email to yourself: with the link anybody sees how far your enquiry is. What we have written to each other needs a code as well, which we email to you then.',
  },
  statusCode: {
    subject: (reference: string) => `Your code for the page of your enquiry ${reference}`,
    opening: (reference: string) =>
      `Somebody, most likely you, wants to read on the page of your enquiry ${reference} what we have written to each other.`,
    code: 'Code',
    closing: (minutes: number) =>
      `It works once, within ${minutes} minutes. If it was not you, ignore this email, and give the code to nobody: we never ask for it.`,
  },
  /** To a visitor who has asked to be erased. */
  erasureRefused: {
    subject: (reference: string) => `Your request to erase your enquiry ${reference}`,
    opening: (reference: string) =>
      `You have asked us to erase your enquiry ${reference}. A person has decided that we keep it, and says why:`,
    reason: 'Reason',
    closing: 'You can answer this email, or write to us on the page of your enquiry.',
  },
  /** To a visitor, at once and from nobody. It must repeat nothing that the visitor wrote: anybody can enter any address. */
  acknowledgement: {
    subject: (reference: string) => `We have received your enquiry ${reference}`,
    opening: (siteName: string) =>
      `Thank you. ${siteName} has received your enquiry, and a person will answer it. If it is urgent, please also call: our number is on our website.`,
    answerBy: 'Expect our answer by',
    link: 'Consumer Guide: what you may expect of a registered migration agent',
    closing:
      'This email was sent automatically because this address was entered in the form on our website. If that was not you, ignore it: you will get no more than one such email a day.',
  },
  code: {
    subject: (siteName: string) => `Your sign-in code for ${siteName}`,
    opening: 'Someone, most likely you, is signing in to the staff portal with your password. The code is:',
    closing: (minutes: number) =>
      `It works once, within ${minutes} minutes. If this was not you, change your password: somebody else knows it.`,
  },
  verification: {
    subject: (siteName: string) => `Please confirm your email address for ${siteName}`,
    opening: (name: string) =>
      `Hello ${name}, this address was entered for your account in the staff portal. Please confirm that it is yours.`,
    link: 'Confirm this address',
    closing: 'The link works for 24 hours. If you did not expect this email, you can ignore it.',
  },
  invitation: {
    subject: (siteName: string) => `You are invited to the staff portal of ${siteName}`,
    opening: (name: string, siteName: string) =>
      `Hello ${name}, an admin of ${siteName} has added you to its staff portal. Choose a password; then you can sign in with this email address.`,
    link: 'Choose a password',
    closing: (days: number) =>
      `The link works once, within ${days} days; after that, an admin can send you another. If you do not know the agency, ignore this email: nobody can sign in with your address.`,
  },
  passwordReset: {
    subject: (siteName: string) => `Set a new password for ${siteName}`,
    opening: (name: string) =>
      `Hello ${name}, somebody asked for a new password for your account in the staff portal. We do not know whether it was you.`,
    link: 'Set a new password',
    closing: (minutes: number) =>
      `The link works once, within ${minutes} minutes. If it was not you, ignore this email: your password stays as it is.`,
  },
  passwordChanged: {
    subject: 'Your password was changed',
    opening: (name: string) =>
      `Hello ${name}, the password of your account in the staff portal was changed. Other browsers were signed out, and devices that you trusted need a code again.`,
    closing: NOT_YOU,
  },
  addressChanged: {
    subject: 'Your email address was changed',
    opening: (name: string) =>
      `Hello ${name}, the email address of your account in the staff portal was changed. Sign-in codes now go to the new address, and every browser has to sign in again.`,
    closing: NOT_YOU,
  },
  newDevice: {
    subject: 'Sign-in to your account from a new browser',
    opening: (name: string) =>
      `Hello ${name}, someone, most likely you, has signed in to your account from a browser that you have not used before.`,
    closing:
      'Edit Profile on the dashboard lists where you are signed in, and lets you sign out there. If this was not you, contact an admin of your agency immediately.',
  },
  accountLocked: {
    subject: 'Your account is temporarily locked',
    opening: (name: string) =>
      `Hello ${name}, somebody entered five or more wrong passwords for your account in the staff portal. The account is locked: for ten minutes at first, longer each time. In other browsers where you have signed in before, your password still works.`,
    closing:
      'If it was you, wait and try again, or choose “Forgot password?” on the sign-in page. If this was not you, contact an admin of your agency immediately.',
  },
  codesBlocked: {
    subject: 'Sign-in codes are blocked for your account',
    opening: (name: string) =>
      `Hello ${name}, somebody who knows your password has entered too many wrong sign-in codes in a row. Your account does not accept any more codes.`,
    closing:
      'Ask an admin for a new password; then you can sign in again. If it was not you, somebody knows the old one.',
  },
  /** The access of a user to messages. */
  inboxGrants: { none: 'No access', read: 'Read', answer: 'Answer' },
  /** To every admin. The change itself is the subject: a whole sentence without its full stop. */
  sensitiveChange: {
    adminAdded: 'An admin was added',
    madeAdmin: 'A user was made an admin',
    inboxGranted: 'A user was given more access to messages',
    settingChanged: 'A mail or key setting was changed',
    retentionChanged: 'The time after which data is deleted was changed',
    retentionEffect:
      'Nothing is deleted in the next 24 hours. Until then you can change it back in the settings.',
    mailSwitched: 'From now on, emails are sent in another way',
    tokenCreated: 'An API token was created',
    opening: (name: string) => `Hello ${name}, every admin is notified of this change in the staff portal.`,
    closing:
      'If neither you nor another admin intended this, set a new password for that account immediately, and check the users, the API tokens and the settings.',
  },
  test: {
    subject: (siteName: string) => `Test email from ${siteName}`,
    opening: (name: string) =>
      `${name} sent this test email from the settings of the staff portal. If you can read it, email delivery works.`,
  },
  /** Through a provider that is not in use yet. */
  trial: {
    subject: (siteName: string) => `Six digits for the mail of ${siteName}`,
    opening: (name: string) =>
      `${name} has entered a new mail provider in the settings of the staff portal. If you can read this, it works. To use it, type these six digits there:`,
    installation: 'Installation',
    provider: 'Mail provider',
    askedBy: 'Asked for by',
    closing: (minutes: number) =>
      `They work for ${minutes} minutes. If you did not ask for this, type them nowhere, and set a new password for that account.`,
  },
}
