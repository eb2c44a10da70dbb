import type { FirstDocument } from '../content/first-content.server.ts'
import { businessVisas } from './business-visas.server.ts'
import { type Category, type VisaWords, visaPage } from './visa-text.server.ts'

const familyAndWork: Readonly<Record<string, VisaWords>> = {
  'Family migration': {
    slug: 'family-migration',
    title: 'Family visas: partners, children, parents',
    description:
      'Visas for the partners, children, parents, carers and remaining relatives of people who live in Australia.',
    lookAtItIf: [
      'Your husband, wife or partner is Australian or a permanent resident.',
      'A child of yours lives in Australia, or you live here and your child does not.',
      'You care for a relative in Australia, or your remaining relatives live here.',
    ],
    lookElsewhereIf: [
      ['You are moving for a job. See', 'Skills in Demand', '/visas/skills-in-demand-482'],
      [
        'You have skills that earn points. See',
        'general skilled migration',
        '/visas/general-skilled-migration',
      ],
      ['You want to know what evidence a couple needs. See', 'partners and families', '/partners'],
    ],
    steps: [
      'Settle which relative the visa depends on, and whether you apply from inside or outside Australia.',
      'Gather proof of the relationship, of identity, and of where each of you lives.',
      'Your relative agrees in writing to sponsor you, where the visa asks for it.',
      'You lodge the application and pay the Department’s charge.',
      'The Department asks, checks and decides. A partner visa is decided once for each stage.',
    ],
    evidence: [
      'Passports and birth certificates of everyone who applies',
      'Marriage certificate, or proof of a shared life',
      'Proof that your relative is a citizen or a permanent resident',
      'Police certificates from the countries where you have lived',
    ],
  },
  'General skilled migration': {
    slug: 'general-skilled-migration',
    title: 'Skilled visas, subclasses 189, 190 and 491',
    description:
      'Visas for skilled people without an employer. You need points, an invitation and at least competent English.',
    lookAtItIf: [
      'Your occupation is skilled, and you can prove training and work in it.',
      'Your English is at least competent.',
      'You have the points on your own, or may get a nomination or a sponsor in your family.',
    ],
    lookElsewhereIf: [
      ['An employer wants you now. See', 'Skills in Demand', '/visas/skills-in-demand-482'],
      ['An employer wants you to stay. See', 'employer nomination', '/visas/employer-nomination-186'],
      ['You want to count your points. See', 'how points add up', '/graduates'],
    ],
    steps: [
      'Have your skills assessed, and sit an English test.',
      'Count your points, and say in the Department’s system that you are interested.',
      'For subclass 190 or 491, ask for a nomination, or for a sponsor in your family.',
      'Wait for an invitation. Nobody can buy one or hurry it.',
      'Apply within the time that the invitation gives you, and prove each point that you claimed.',
      'The Department decides.',
    ],
    evidence: [
      'Skills assessment and English test result',
      'Degrees, transcripts and licences',
      'References from employers, with dates, hours and duties',
      'Pay slips and tax records that fit the references',
    ],
  },
  'Skills in demand': {
    slug: 'skills-in-demand-482',
    title: 'Skills in Demand visa, subclass 482',
    description:
      'Work in Australia for an approved sponsor. In December 2024 it replaced the Temporary Skill Shortage visa.',
    lookAtItIf: [
      'An Australian employer wants to hire you.',
      'You have relevant full-time work behind you.',
      'The pay reaches the threshold of the stream.',
    ],
    lookElsewhereIf: [
      ['You have no employer yet. See', 'general skilled migration', '/visas/general-skilled-migration'],
      ['The employer wants you to stay. See', 'employer nomination', '/visas/employer-nomination-186'],
      ['Your partner is Australian. See', 'partners and families', '/partners'],
    ],
    steps: [
      'The employer becomes an approved sponsor.',
      'The employer nominates the job: the occupation, the pay and the stream.',
      'You apply, with evidence of your work, your identity and your English.',
      'The Department decides. We answer its questions for you until then.',
    ],
    evidence: [
      'Passport of everyone who applies',
      'Contract or offer that states the pay',
      'References from employers, with dates, hours and duties',
      'Qualifications and licences',
      'English test result, if you need one',
    ],
  },
  'Employer nomination': {
    slug: 'employer-nomination-186',
    title: 'Employer Nomination Scheme, subclass 186',
    description:
      'Permanent residence with an employer who nominates you. Three streams, each with its own rules about work.',
    lookAtItIf: [
      'An employer has a lasting job for you and wants to nominate you.',
      'You have worked for an approved sponsor, or your skills can be assessed.',
      'You are under the age limit, or exempt from it.',
    ],
    lookElsewhereIf: [
      ['The job is for a time. See', 'Skills in Demand', '/visas/skills-in-demand-482'],
      ['You have no employer. See', 'general skilled migration', '/visas/general-skilled-migration'],
      ['You are the employer. See', 'our page for employers', '/employers'],
    ],
    steps: [
      'You and the employer choose the stream that fits your work so far.',
      'For Direct Entry, you have your skills assessed.',
      'The employer nominates the job.',
      'You apply, and prove your work, your age and your English.',
      'The Department decides on the nomination and on the visa.',
    ],
    evidence: [
      'Contracts, pay slips and tax records of your work in Australia',
      'References from employers, with dates, hours and duties',
      'Skills assessment, for Direct Entry',
      'Records of the business: accounts, organisation chart, need for the job',
    ],
  },
}

const words: Readonly<Record<string, VisaWords>> = { ...familyAndWork, ...businessVisas }

/** A page for each category that has one. */
export function visaPages(categories: readonly Category[]): FirstDocument[] {
  return categories.flatMap(category => {
    const known = words[category.title]
    return known ? [visaPage(category, known)] : []
  })
}
