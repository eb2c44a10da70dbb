/** The upper half of the home page. */

/** Who answers, in which languages, and when. */
export const trust = {
  label: 'Who answers you',
  registered: 'Registered agent',
  agent: (name: string, registrationNumber: string) => `${name}, MARN\u00A0${registrationNumber}`,
  languages: (count: number) =>
    `${['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six'][count] ?? count} ${count === 1 ? 'language' : 'languages'}`,
  opens: (days: string, time: string) => `${days}, ${time}`,
  zone: (city: string) => `${city} time`,
  offset: (offset: string) => `GMT${offset} today`,
  /** # stands for what the visitor's clock says: the time, or hours such as 5¼. */
  now: (city: string) => `# in ${city}`,
  ahead: ['# hour ahead of you', '# hours ahead of you'],
  behind: ['# hour behind you', '# hours behind you'],
  same: 'The same time as yours',
}

/** What the questions of a new installation ask, by their ids. */
const finderQuestions: Record<string, string> = {
  where: 'where you are',
  plan: 'what you hope to do',
  age: 'your age',
  stay: 'how long you would like to stay',
}

export const finder = {
  /** Names a field. The sentence alone names two of them "I am". @param number from 1 */
  question: (before: string, id: string, number: number) =>
    `${before}: ${finderQuestions[id] ?? `question ${number}`}`,
  heading: 'Which visa fits your plan?',
  show: 'Show visas to look at',
  privacy: 'No name, no email. Nothing is kept.',
  starts: 'Or start from where you stand',
  count: (count: number) =>
    count === 0
      ? 'No visa to look at yet'
      : `${['One visa', 'Two visas', 'Three visas', 'Four visas'][count - 1] ?? `${count} visas`} to look at`,
  plan: 'for this plan',
  none: 'No visa on this site fits these answers. Ask us, and we look further.',
  advice: <T>(ask: T) => ['A list to read, not advice. ', ask],
  ask: 'Ask us which one suits you',
  askPlan: 'Ask us about this plan',
  checkedBy: (name: string) => `Checked by ${name}.`,
}
