/** The enquiry form and its section of a page. */

/** A text for each plural of the language, see `Intl.PluralRules`. */
type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>

const retry: Plural = {
  one: 'You can send it again in a minute.',
  other: 'You can send it again in {minutes} minutes.',
}

const tooLong: Plural = {
  one: '1 character too many: at most {max} fit.',
  other: '{over} characters too many: at most {max} fit.',
}

export const serviceLabels = {
  family: 'Family Migration',
  skilled: 'Skilled Migration',
  business: 'Business Visa',
  investor: 'Investor Stream',
  other: 'Other Visa Types',
}

/** As staff read them, by the names that the forms send. */
export const detailLabels = {
  reference: 'Earlier reference',
  visa: 'Visa asked about',
  location: 'Where now',
  visaHeld: 'Visa held',
  occupation: 'Occupation',
  age: 'Age',
  english: 'English',
}

export const enquiryForm = {
  heading: 'Get In Touch',
  /** @param languages empty while nobody has confirmed them */
  lead: (languages: string) => `Ask in your own words.${languages && ` We read ${languages}.`}`,
  /** Beside the form. */
  points: {
    cost: 'It costs nothing to ask',
    free: 'An enquiry commits you to nothing.',
    reader: (agent: string) => `${agent} reads it`,
    registration: (registrationNumber: string) => `Registered migration agent, MARN ${registrationNumber}.`,
    privacy: 'Only for your question',
    direct: 'Or reach us directly',
  },
  kinds: {
    contact: 'General enquiry',
    'visa-assessment': 'Visa assessment',
    tracking: 'Track my application',
  },
  purposes: {
    contact: 'Any question',
    'visa-assessment': 'Is a visa in reach?',
    tracking: 'We look it up for you',
  },
  /** Beside a label. */
  optional: '(optional)',
  fields: {
    reference: { label: 'Reference', hint: 'Of your enquiry, such as LF-7K3M-92QD' },
    name: { label: 'Your name' },
    email: { label: 'Email' },
    phone: { label: 'Phone', hint: 'With the country code, as in +61' },
    service: { label: 'Service', hint: 'What your question is about', none: 'Not sure yet' },
    message: {
      label: 'Message',
      hint: 'Where you are now, what you hope to do in Australia, and by when',
    },
    visa: { label: 'Visa', hint: 'The one you ask about: its name or number' },
    location: { label: 'Where are you now?', hint: 'Country, or state of Australia' },
    visaHeld: {
      label: 'Visa you hold',
      hint: 'The one you have now',
      options: {
        none: 'None',
        visitor: 'Visitor',
        holiday: 'Working holiday',
        student: 'Student',
        graduate: 'Temporary graduate',
        work: 'Skilled work',
        family: 'Partner or family',
        bridging: 'Bridging',
        other: 'Another visa',
      },
    },
    occupation: { label: 'Occupation', hint: 'Such as electrician' },
    age: {
      label: 'Your age',
      hint: 'In full years',
      options: {
        none: 'Choose',
        child: 'Under 18',
        to24: '18 to 24',
        to32: '25 to 32',
        to39: '33 to 39',
        to44: '40 to 44',
        over: '45 or over',
      },
    },
    english: { label: 'English test', hint: 'Which one, when, and your result' },
  },
  assessment: {
    legend: 'Helps us answer in one go.',
    hint: 'All optional: leave out what you would rather not say.',
  },
  /** For who has no reference, or wants to ask more. */
  tracking: {
    legend: 'A person looks it up and emails you.',
    hint: 'What you send here gets a reference of its own.',
  },
  /** The visa that a link of its page fills in. @param numbers of its subclasses */
  visaAsked: (title: string, numbers: readonly string[]) =>
    numbers.length > 0 ? `${title} (${numbers.join(', ')})` : title,
  note: 'It costs nothing to ask.',
  received: 'Request Submitted',
  /** The title of the page that shows the form again, with what to correct. */
  check: 'Please check your enquiry',
  /** A figure in the privacy notice; a link to its source follows. */
  figure: (value: string, date: string) => `${value}. As at ${date},`,
  /** For the browser, which gets these and the rest as JSON: a value that only it knows is in braces. */
  labels: {
    kinds: 'Kind of enquiry',
    captcha: 'Proof that you are a person',
    correct: 'Please correct',
    send: 'Send enquiry',
    sending: 'Submitting...',
    draft: 'A draft is kept on this device until you send it.',
    removeDraft: 'Remove the draft',
    draftRemoved: 'The draft was removed from this device, and no new one is kept.',
  },
  /** Of a required field with nothing in it. */
  empty: {
    name: 'Enter your name',
    email: 'Enter your email address',
    phone: 'Enter your phone number',
    message: 'Enter your message',
  },
  tooLong,
  /** In place of the form, once an enquiry is sent. */
  receipt: {
    copy: 'Copy',
    copied: 'Copied',
    answer: 'We aim to answer by',
    /** @param moment such as "Monday 5 pm" */
    office: '{moment} in {city}',
    here: '{office}, {moment} your time',
    print: 'Print',
    emailLink: 'Email me my private link',
    /** The address is put in by the browser. */
    linkSent: 'The link is on its way to {email}. It can take a few minutes.',
    linkFailed: 'That did not work. Please try again in some minutes.',
    again: 'Send another enquiry',
  },
  sendLabels: {
    failed: 'Submission Failed',
    failedMessage: 'There was an error submitting your request. Please try again.',
    networkMessage: 'Network error when submitting your request. Please check your connection and try again.',
    retry,
    close: 'Close',
  },
}
