import type { Content } from '../content/schema.ts'
import { figure, sources, subclass188 } from './sources.server.ts'

type VisaCategory = Content['visaCategories'][number]

const open = { status: 'open' } as const

function closedStream(
  stream: string,
  description: string,
  ...figures: VisaCategory['figures']
): VisaCategory {
  return {
    title: `${stream} stream`,
    description,
    subclasses: [{ name: `Business Innovation and Investment, ${stream} stream`, numbers: ['188'] }],
    facts: [
      'If you hold this visa, it stays valid until its end date, under its own conditions.',
      'People who hold it may still apply for the permanent visa, subclass 888.',
    ],
    figures: [
      ...figures,
      figure('Length of the provisional visa, when it was open', 'Up to five years', sources.business),
    ],
    programme: subclass188,
    more: sources.business,
    service: stream === 'Business innovation' ? 'business' : 'investor',
  }
}

export const visaCategories: VisaCategory[] = [
  {
    title: 'Family migration',
    description:
      'Visas for the partners, children, parents and carers of Australians and permanent residents.',
    subclasses: [
      { name: 'Partner, in Australia', numbers: ['820', '801'] },
      { name: 'Partner, outside Australia', numbers: ['309', '100'] },
      { name: 'Prospective marriage', numbers: ['300'] },
      { name: 'Children', numbers: ['101', '802', '102', '445'] },
      { name: 'Parents', numbers: ['103', '143', '173', '804', '864', '884', '870'] },
      { name: 'Remaining relatives', numbers: ['115', '835'] },
      { name: 'Carers', numbers: ['116', '836'] },
    ],
    facts: [
      'A partner visa comes in two stages: a temporary visa first, then a permanent one.',
      'Which partner visa you need depends on whether you apply from inside or outside Australia.',
      'Children, parents, remaining relatives and carers each have their own visas.',
    ],
    figures: [figure('Permanent stage of a partner visa', 'About two years after you apply', sources.family)],
    programme: open,
    more: sources.family,
    service: 'family',
  },
  {
    title: 'General skilled migration',
    description: 'Points-tested visas for skilled workers, by invitation.',
    subclasses: [
      { name: 'Skilled Independent', numbers: ['189'] },
      { name: 'Skilled Nominated', numbers: ['190'] },
      { name: 'Skilled Work Regional (Provisional)', numbers: ['491'] },
    ],
    facts: [
      'You need an invitation before you can apply.',
      'You need at least competent English.',
      'Subclass 190 needs a nomination. Subclass 491 needs a nomination or a sponsor in your family.',
      'Subclass 491 leads to subclass 191.',
    ],
    figures: [
      figure('Pass mark', '65 points', sources.points),
      figure('Extra points for a subclass 190 nomination', '5 points', sources.points),
      figure('Extra points for a subclass 491 nomination or family sponsor', '15 points', sources.points),
      figure('Age', 'Under 45 when you are invited', sources.skilled),
    ],
    programme: open,
    more: sources.skilled,
    service: 'skilled',
  },
  {
    title: 'Skills in demand',
    description: 'Work in Australia for an employer who is an approved sponsor.',
    subclasses: [{ name: 'Skills in Demand', numbers: ['482'] }],
    facts: [
      'It replaced the Temporary Skill Shortage visa on 7 December 2024.',
      'It has three streams: Specialist Skills, Core Skills and Labour Agreement.',
      'Core Skills is for occupations on the Core Skills Occupation List.',
    ],
    figures: [
      figure('Length of stay', 'Up to four years (Hong Kong passports: five)', sources.skillsInDemand),
      figure(
        'Work experience',
        'One year of relevant full-time work in the last five',
        sources.skillsInDemand,
      ),
      figure('Core Skills income threshold', 'AUD 79,499', sources.skillsInDemand),
      figure('Specialist Skills income threshold', 'AUD 146,717', sources.skillsInDemand),
      figure('Occupations on the Core Skills list', '456', sources.occupations),
    ],
    programme: open,
    more: sources.skillsInDemand,
    service: 'skilled',
  },
  {
    title: 'Employer nomination',
    description:
      'Permanent residence with an employer who nominates you. There is an age limit, with exemptions.',
    subclasses: [{ name: 'Employer Nomination Scheme', numbers: ['186'] }],
    facts: [
      'It has three streams: Direct Entry, Temporary Residence Transition and Labour Agreement.',
      'Direct Entry needs a listed occupation and a skills assessment.',
      'Since 29 November 2025 only work for an approved sponsor counts towards the Transition stream.',
      'Some people are exempt from the age limit.',
    ],
    figures: [
      figure('Age', 'Under 45 when you apply, unless exempt', sources.employer),
      figure('Experience for Direct Entry', 'At least three years', sources.employer),
      figure(
        'Work for the Transition stream',
        'Two of the last three years with an approved sponsor',
        sources.employer,
      ),
    ],
    programme: open,
    more: sources.employer,
    service: 'skilled',
  },
  {
    title: 'Business visas',
    description: 'What is open to business people now that subclass 188 takes no new applications.',
    subclasses: [
      { name: 'National Innovation visa', numbers: ['858'] },
      { name: 'Business Innovation and Investment (Permanent)', numbers: ['888'] },
    ],
    facts: [
      'All streams of subclass 188 are closed to new applications.',
      'If you hold a subclass 188 visa, you may still apply for subclass 888.',
      'The National Innovation visa is open, by invitation.',
    ],
    figures: [],
    programme: open,
    more: sources.innovation,
    service: 'business',
  },
  {
    title: 'National Innovation visa',
    description: 'A permanent visa, by invitation, that does not depend on investment.',
    subclasses: [{ name: 'National Innovation visa', numbers: ['858'] }],
    facts: [
      'You need an invitation before you can apply.',
      'It has been open since December 2024.',
      'An investment does not earn you this visa.',
    ],
    figures: [],
    programme: open,
    more: sources.innovation,
    service: 'business',
  },
  {
    title: 'Business innovation and investment (permanent)',
    description: 'Permanent residence for people who already hold a subclass 188 visa.',
    subclasses: [{ name: 'Business Innovation and Investment (Permanent)', numbers: ['888'] }],
    facts: [
      'If you hold a subclass 188 visa, you may still apply.',
      'You cannot start on this path today, because subclass 188 takes no new applications.',
    ],
    figures: [],
    programme: open,
    more: sources.businessPermanent,
    service: 'business',
  },
  closedStream('Business innovation', 'Subclass 188 for business owners, closed to new applications.'),
  closedStream(
    'Investor',
    'Subclass 188 for investors, closed to new applications.',
    figure('Minimum investment, when it was open', 'AUD 2.5 million', sources.business),
  ),
  closedStream(
    'Significant investor',
    'Subclass 188 for larger investors, closed to new applications.',
    figure('Minimum investment, when it was open', 'AUD 5 million', sources.business),
  ),
]
