/** What the pages of documents say beside the document, and the lists of them. */

export const documents = {
  title: (title: string, siteName: string) => `${title} | ${siteName}`,
  breadcrumb: 'You are here',
  question: 'Still have a question?',
  reads: 'A registered migration agent reads every enquiry.',
  free: 'It costs nothing to ask.',
  ask: 'Ask us',
  contents: 'On this page',
  asAt: <T>(date: string, source: T) => [`As at ${date}, `, source],
  callouts: { note: 'Note', important: 'Important' },
}

export const visaIndex = {
  heading: 'Visas',
  description: 'The visas that we help with: what each asks of you, and which are closed.',
  lead: 'Find the visa that sounds like your plan, and read what it asks of you.',
  ask: 'Not sure which visa is yours?',
}

export const visaPage = {
  open: 'Open to applications',
  asAt: (date: string) => `as at ${date}`,
  others: (count: number) => `+\u00A0${count} more`,
  glance: 'At a glance',
  know: 'What to know',
  reach: 'Is it in reach for you?',
  related: 'Related visas',
}

export const news = {
  heading: 'News',
  description: 'What has changed in Australian migration, in plain words.',
  lead: 'What has changed in Australian migration, in plain words.',
  empty: <T>(visas: T) => ['There is no news yet. Meanwhile, read about ', visas, '.'],
  visas: 'the visas that we help with',
  by: (author: string) => `By ${author}.`,
  published: (date: string) => `Published ${date}.`,
  changed: (published: string, changed: string) => `Published ${published}, changed ${changed}.`,
  next: 'Read next',
  sources: 'Sources',
  ask: 'Ask about your case',
  feed: (siteName: string) => `News from ${siteName}`,
}
