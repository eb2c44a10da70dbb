/**
 * Sentences as pages of a migration agency have them, and cells with the headings of their row and their column. The
 * sentences of `claim-sentences.ts` try one rule each; these are what an owner types in the first week.
 */

export interface PageText {
  readonly text: string
  /** The headings of its row and its column, if it is a cell. */
  readonly cell?: readonly [row: string, column: string]
}

export interface PageClaim extends PageText {
  /** The words that are marked, no more and no fewer. */
  readonly quote: string
}

const said = (text: string, quote: string): PageClaim => ({ text, quote })
const inCell = (row: string, column: string, text: string, quote: string): PageClaim => ({
  ...{ text, quote, cell: [row, column] },
})

/** What the guard must find, with the words that it must mark. */
export const claimsOnPages: readonly PageClaim[] = [
  inCell('190', 'Processing time', '9 months', '9 months'),
  inCell('Subclass 189', 'How long it takes', '8 to 14 months', '14 months'),
  inCell('491', 'Points', '65', '65'),
  inCell('Partner visa', 'Charge of the Department', 'AUD 9,365', 'AUD 9,365'),
  inCell('186', 'Age', 'Under 45', '45'),
  inCell('482 core skills', 'Least pay', '$79,499', '$79,499'),
  inCell('Skilled visa', 'Our result', 'Guaranteed', 'Guaranteed'),
  inCell('Visa approval rate', 'Here', '97%', '97%'),
  inCell('Assessment', 'Our fee', 'AUD 220', 'AUD 220'),
  inCell('Assessment', 'Price', 'Free', 'Free'),
  said('Most applications for a subclass 190 visa are decided within 9 months.', '9 months'),
  said('A student may work up to 48 hours a fortnight.', '48 hours'),
  said('You must have worked in your occupation for at least 3 years.', '3 years'),
  said('Applicants must be under 45 when they are invited.', '45'),
  said('The employer pays at least AUD 79,499 a year.', 'AUD 79,499'),
  said('You need an IELTS score of at least 6.5 in each part.', '6.5'),
  said('The Department charges $4,910 for the main applicant.', '$4,910'),
  said('The visa lets you stay for up to 5 years.', '5 years'),
  said('You can apply for permanent residence after 24 months with your employer.', '24 months'),
  said('There are 456 occupations on the core skills list.', '456'),
  said('A decision at the tribunal takes 18 months on average.', '18 months'),
  said('You have 28 days to ask for a review.', '28 days'),
  said('About 40 per cent of the applications are sent back.', '40 per cent'),
  said('Savings of AUD 29,710 show that you can live here for a year.', 'AUD 29,710'),
  said('The Department approved 9 out of 10 applications last year.', '9 out of 10'),
  said('Regional points add 15 points to your score.', '15 points'),
  said('Over 2,000 families trust us.', '2,000'),
  said('We have helped more than 850 nurses since 2014.', '850'),
  said('Your partner visa is guaranteed when you come to us.', 'guaranteed'),
  said('We guarantee that the Department approves your nomination.', 'guarantee'),
  said('If we take your case, you will get your visa.', 'will get your visa'),
  said('With us, your application cannot be refused.', 'cannot be refused'),
  said('98% of our student visas are granted.', '98%'),
  said('Our success rate with refusals speaks for itself.', 'success rate'),
  said('In twelve years we have never lost a case.', 'never lost a case'),
  said(
    'Nine out of ten of our partner visas are approved.',
    'Nine out of ten of our partner visas are approved',
  ),
  said('No visa, no fee: that is our promise.', 'No visa, no fee'),
  said('We take the risk, so you apply without any risk of refusal.', 'without any risk'),
  said('Our founder has close ties with the Department in Perth.', 'close ties with the Department'),
  said('We know people in the Department who look at your file.', 'We know people in the Department'),
  said('We are a Government-approved migration service.', 'We are a Government-approved'),
  said('Our inside contacts speed things up.', 'inside contacts'),
  said('Apply now for the Business Innovation stream, subclass 188.', '188'),
  said('We help investors to secure a subclass 188 visa.', '188'),
  said('Fremantle’s best migration agents look after you.', 'best migration agents'),
  said('We are Perth’s leading migration agency.', 'Perth’s leading'),
  said('The fastest way to permanent residence starts here.', 'fastest way to permanent residen'),
  said('Australia’s most trusted visa experts', 'Australia’s most trusted'),
  said('Western Australia’s No. 1 migration team', 'No 1'),
  said('You reach us 24/7, on weekends too.', '24/7'),
  said('Somebody answers the phone seven days a week.', 'seven days a week'),
  said('The first consultation is free.', 'is free'),
  said('We check your documents free of charge.', 'free'),
  said('Book your free eligibility check today.', 'free'),
  said('A first call costs $165.', '$165'),
  said('Our fee for a partner visa is AUD 4,400.', 'AUD 4,400'),
  said('We charge 330 dollars an hour.', '330 dollars'),
  said('The skills assessment takes 12 weeks.', '12 weeks'),
  said('A bridging visa starts 35 days after the refusal.', '35 days'),
  said('Parents wait more than 30 years for this visa.', '30 years'),
]

const near = (text: string): PageText => ({ text })
const calm = (row: string, column: string, text: string): PageText => ({ text, cell: [row, column] })

/** What the guard must leave alone. */
export const harmlessOnPages: readonly PageText[] = [
  calm('190', 'State nomination', 'Needed'),
  calm('Subclass 189', 'Family', 'May come along'),
  calm('Subclass', 'Name', '491'),
  calm('2 copies', 'Of', 'The passport'),
  calm('Step 3', 'What we do', 'We lodge the application'),
  calm('Form 956', 'Who signs', 'You and the agent'),
  calm('Opening hours', 'Friday', '9.30 to 17.00'),
  calm('1 July 2026', 'What changed', 'The list of occupations'),
  calm('Passport photo', 'Size', '35 mm by 45 mm'),
  calm('Interview', 'How long', '30 minutes'),
  near('We reply within 2 business days.'),
  near('The first appointment takes 45 minutes.'),
  near('Our office is 5 minutes from the station.'),
  near('Scan each page at 300 dpi.'),
  near('A file may have 5 MB at most.'),
  near('Bring the original and 2 copies of each page.'),
  near('You find us at 88 High Street, Fremantle WA 6160.'),
  near('We are closed on 25 and 26 December.'),
  near('Ask for Form 1221 at the front desk.'),
  near('Article 8 of the convention protects family life.'),
  near('Your occupation has the ANZSCO code 261313.'),
  near('A 190 nomination comes from a state.'),
  near('Holders of a 491 visa live in a regional area.'),
  near('The rules that came with COVID-19 have ended.'),
  near('Read our 5-minute guide first.'),
  near('We call you back within 4 hours on working days.'),
  near('Bring 100 points of identification.'),
  near('Chapter 2 of the guide explains the interview.'),
  near('Send it by email or to PO Box 417, Fremantle WA 6959.'),
  near('In the 2026-27 programme year the places are shared out again.'),
  near('Feel free to bring a friend to the appointment.'),
  near('There is no charge for changing your passport details in ImmiAccount.'),
  near('Interpreters of TIS National are free for this call.'),
  near('ImmiAccount is available 24 hours a day.'),
  near('The register of agents can be searched free of charge.'),
  near('English classes are free for many new residents.'),
  near('The best time to call is in the morning.'),
  near('Choose the stream that fits you best.'),
  near('The Department decides, and nobody can promise you a visa.'),
  near('A nomination does not guarantee that the visa is granted.'),
  near('For a nomination the employer must guarantee full-time work.'),
  near('Your sponsor gives an assurance of support.'),
  near('An incomplete application is at risk of being refused.'),
  near('We say honestly when the risk of a refusal is high.'),
  near('The Department publishes its approval rates every quarter.'),
  near('Ask how an agency works out its success rate.'),
  near('You need a positive skills assessment from an approved authority.'),
  near('Only courses at a registered provider count.'),
  near('Your relationship with your partner must be genuine.'),
  near('We deal with the Department in writing only.'),
  near('The Direct Entry stream has its own requirements.'),
  near('Subclass 188 is closed, and nothing has replaced it one to one.'),
  near('Who already holds a subclass 188 visa may be able to stay with subclass 888.'),
  near('It is a step leading to permanent residence.'),
  near('A leading hand counts as a supervisor.'),
  near('We are a small team, and not the cheapest.'),
  near('If your visa is refused, we explain the decision to you.'),
  near('We will let you know as soon as your visa is granted.'),
  near('A migration agent must keep your documents for seven years.'),
  near('Your application will be decided by an officer of the Department.'),
]
