import type { VisaWords } from './visa-text.server.ts'

export const businessVisas: Readonly<Record<string, VisaWords>> = {
  'Business visas': {
    slug: 'business-visas',
    title: 'Business visas: what is open now',
    description:
      'Subclass 188 is closed to new applications. Two other visas remain, and each is for a small group of people.',
    lookAtItIf: [
      'You already hold a subclass 188 visa and want to stay.',
      'Your achievements are known in your field, and you may be invited.',
      'You are planning a business, and want to know which visas are no longer there.',
    ],
    lookElsewhereIf: [
      ['You hold subclass 188. See', 'subclass 888', '/visas/business-permanent-888'],
      ['You may be invited for your achievements. See', 'subclass 858', '/visas/national-innovation-858'],
      [
        'You would work in an occupation. See',
        'general skilled migration',
        '/visas/general-skilled-migration',
      ],
    ],
    steps: [
      'Write down what you have done so far, in business and in your field.',
      'Check which visa you hold, and when it ends.',
      'Ask which of the open visas is worth your time before you spend money on a plan.',
    ],
    evidence: [
      'Passport and current visa',
      'Records of ownership, accounts and tax',
      'Awards, patents, publications or contracts that show your work',
    ],
  },
  'National Innovation visa': {
    slug: 'national-innovation-858',
    title: 'National Innovation visa, subclass 858',
    description:
      'A permanent visa by invitation, open since December 2024. It does not depend on an investment.',
    lookAtItIf: [
      'People in your field, also outside your country, know your work.',
      'You can prove it with records that a stranger can check.',
      'You are ready to wait for an invitation that may not come.',
    ],
    lookElsewhereIf: [
      ['You have an employer. See', 'employer nomination', '/visas/employer-nomination-186'],
      ['You have skills and points. See', 'general skilled migration', '/visas/general-skilled-migration'],
      ['You hold subclass 188. See', 'subclass 888', '/visas/business-permanent-888'],
    ],
    steps: [
      'Choose the few achievements that matter, and find the proof of each.',
      'Say in the Department’s system that you are interested.',
      'Wait for an invitation. Without one you cannot apply.',
      'Apply within the time that the invitation gives you.',
      'The Department decides.',
    ],
    evidence: [
      'Awards, patents, publications, prizes or important roles',
      'Statements of people who know your field',
      'Plans for your work in Australia',
      'Passports and police certificates',
    ],
  },
  'Business innovation and investment (permanent)': {
    slug: 'business-permanent-888',
    title: 'Business visa for holders of 188, subclass 888',
    description:
      'Permanent residence for people who already hold a subclass 188 visa. There is no other way to it.',
    lookAtItIf: [
      'You hold a subclass 188 visa today.',
      'You have run your business, or kept your investment, as your stream requires.',
      'Your visa has enough time left to prepare an application.',
    ],
    lookElsewhereIf: [
      ['You do not hold subclass 188. See', 'what is open now', '/visas/business-visas'],
      ['You may be invited for your achievements. See', 'subclass 858', '/visas/national-innovation-858'],
      ['A partner or child is Australian. See', 'family visas', '/visas/family-migration'],
    ],
    steps: [
      'Check the end date of your visa, and the rules of the stream that it belongs to.',
      'Gather the records of your business or investment for the whole time.',
      'Close gaps while you still can.',
      'Apply before your visa ends.',
      'The Department decides.',
    ],
    evidence: [
      'Notice of the grant of your subclass 188 visa',
      'Accounts, tax returns and activity statements',
      'Proof of ownership or of the investment',
      'Proof of where you and your family have lived',
    ],
  },
  'Business innovation stream': closedStream(
    'business-innovation',
    'Business innovation',
    'A visa for business owners. What people who hold it may do now, and what is open to everyone else.',
  ),
  'Investor stream': closedStream(
    'investor',
    'Investor',
    'A visa for investors. What people who hold it may do now, and what is open to everyone else.',
  ),
  'Significant investor stream': closedStream(
    'significant-investor',
    'Significant investor',
    'A visa for larger investors. What people who hold it may do now, and what is open to everyone else.',
  ),
}

function closedStream(slug: string, stream: string, description: string): VisaWords {
  return {
    slug: `${slug}-188`,
    title: `${stream} stream, subclass 188`,
    description,
    lookAtItIf: [
      'Nobody can get you a place in it any more, from Australia or from abroad. Be careful with anyone who offers one.',
      'If you had planned to apply, stop paying for that plan.',
    ],
    lookElsewhereIf: [
      ['You hold subclass 188. See', 'subclass 888', '/visas/business-permanent-888'],
      ['You may be invited for your achievements. See', 'subclass 858', '/visas/national-innovation-858'],
      ['You want an overview. See', 'what is open now', '/visas/business-visas'],
    ],
    steps: [
      'If you hold this visa, write down its end date, and gather your records now.',
      'If you do not, compare the visas that are open with what you want to do in Australia.',
    ],
    evidence: [],
  }
}
