/** The enquiry form and its section of a page. */

/** A text for each plural of the language, see `Intl.PluralRules`. */
type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>

const retry: Plural = {
  one: 'You can send it again in a minute.',
  other: 'You can send it again in {minutes} minutes.',
}

export const serviceLabels = {
  family: 'Family Migration',
  skilled: 'Skilled Migration',
  business: 'Business Visa',
  investor: 'Investor Stream',
  other: 'Other Visa Types',
}

export const enquiryForm = {
  heading: 'Get In Touch',
  kinds: {
    contact: 'General enquiry',
    'visa-assessment': 'Visa assessment',
    tracking: 'Track my application',
  },
  received: 'Request Submitted',
  /** The title of the page that shows the form again, with what to correct. */
  check: 'Please check your enquiry',
  /** A figure in the privacy notice; a link to its source follows. */
  figure: (value: string, date: string) => `${value}. As at ${date},`,
  /** For the browser, which gets them as JSON: a value that only it knows is in braces. */
  labels: {
    kinds: 'Kind of enquiry',
    name: 'Your name',
    email: 'Email',
    phone: 'Phone',
    phoneHint: 'With the country code, for example +86 138 0013 8000',
    service: 'Service',
    noService: 'Not sure yet',
    message: 'Message',
    messageHint: 'Where you are now, what you hope to do in Australia, and by when',
    optional: '(optional)',
    captcha: 'Proof that you are a person',
    correct: 'What to correct',
    send: 'Send enquiry',
    sending: 'Submitting...',
    reference: 'Your reference is {reference}.',
    failed: 'Submission Failed',
    failedMessage: 'There was an error submitting your request. Please try again.',
    networkMessage: 'Network error when submitting your request. Please check your connection and try again.',
    retry,
    close: 'Close',
    draft: 'A draft is kept on this device until you send it.',
    removeDraft: 'Remove the draft',
    draftRemoved: 'The draft was removed from this device, and no new one is kept.',
  },
}
