import { DEFAULT_REPLY_HOURS } from '../../../content/office/office.ts'
import { states } from '../../../content/office/office-hours.ts'
import { choice, type Field, group, line, list, picture, plain } from './fields.ts'

/** Of the browser; those of Australia come first. What was typed before and is no time zone stays until another is chosen. */
const timeZones = Object.fromEntries(
  Intl.supportedValuesOf('timeZone')
    .toSorted((one, other) => Number(isAustralian(other)) - Number(isAustralian(one)))
    .map(zone => [zone, zone.replaceAll('_', ' ')]),
)

function isAustralian(zone: string) {
  return zone.startsWith('Australia/')
}

const texts = (name: string, label: string) =>
  list(name, label, 'paragraph', [plain('text', 'text', 'Paragraph')])

export const company: readonly Field[] = [
  line('siteName', 'Name of the site'),
  line('legalName', 'Legal name', { nullable: true }),
  line('abn', 'ABN', { nullable: true }),
  plain('lines', 'address', 'Postal address', 'One line of the address on each line.'),
  choice('timeZone', 'Time zone', timeZones, 'A day of the office begins and ends in it.', { isPlace: true }),
  group(
    'location',
    'Pin on the map',
    [plain('number', 'latitude', 'Latitude'), plain('number', 'longitude', 'Longitude')],
    { isPlace: true, noun: 'pin' },
  ),
  line('phone', 'Phone', {
    nullable: true,
    input: 'tel',
    hint: 'A number with its country code.',
  }),
  line('email', 'Email', { nullable: true, input: 'email' }),
  group('chat', 'Chat', [line('network', 'Network'), line('handle', 'Name there')], { noun: 'chat' }),
  line('whatsApp', 'WhatsApp', {
    nullable: true,
    input: 'tel',
    hint: 'A number with its country code. It may be left empty.',
  }),
]

export const portrait = picture('portrait', 'Portrait', {
  isCropped: true,
  hint: 'Without one, a monogram is shown.',
})
export const elsewhere = 'Shown while no portrait is chosen above.'

const title = line('title', 'Job title', { nullable: true })
const introduction = texts('introduction', 'Introduction')
const languages = plain('lines', 'languages', 'Languages', 'One on each line.')
const number = (hint: string) =>
  line('registrationNumber', 'Registration number (MARN)', { nullable: true, hint })

export const agent: readonly Field[] = [
  line('name', 'Name', { nullable: true }),
  title,
  number('Seven digits.'),
  portrait,
  line('portraitUrl', 'Address of a portrait elsewhere', { nullable: true, hint: elsewhere }),
  line('heading', 'Heading above the introduction', {
    nullable: true,
    hint: 'Without one, the name is shown.',
  }),
  introduction,
  texts('founderProfile', 'Profile on the page About Us'),
  languages,
]

export const team = list(
  'team',
  'Team',
  'person',
  [
    line('name', 'Name'),
    title,
    number('Seven digits. Leave it empty for somebody who is no migration agent.'),
    portrait,
    languages,
    introduction,
  ],
  {
    hint: 'Everybody beside the agent above, in this order. With one person here, visitors have the page /team.',
  },
)

export const hours = list(
  'officeHours',
  'Office hours',
  'time',
  [
    plain('days', 'days', 'Days'),
    line('opens', 'Opens', { input: 'time' }),
    line('closes', 'Closes', {
      input: 'time',
      endsDay: true,
      hint: '12:00 am is midnight, the end of the day.',
    }),
    plain('check', 'byAppointment', 'By appointment only'),
  ],
  {
    hint: 'In the time zone of the office. Days that are not listed are closed. A day with a break has two entries. Hours by appointment do not count for the time until an answer.',
    start: { opens: '09:00', closes: '17:00' },
  },
)

export const replyHours = plain(
  'number',
  'replyHours',
  'Office hours until the first answer',
  'Such as 8. Hours in which the office is closed, and holidays, do not count. Messages are overdue afterwards, and visitors read when you aim to answer. Without a number there is no such time.',
  { nullable: true, absent: DEFAULT_REPLY_HOURS },
)

export const state = choice(
  'state',
  'State of the office',
  { '': 'As in the postal address', ...Object.fromEntries(states.map(name => [name, name])) },
  'Holidays of other states do not count. If the address names no state before its postcode, each holiday counts.',
  { nullable: true },
)

export const holidays = list(
  'holidays',
  'Holidays',
  'holiday',
  [
    line('date', 'Date', { input: 'date' }),
    line('name', 'Name', { hint: 'Such as Christmas Day.' }),
    plain('states', 'states', 'States', 'Where it is a holiday. Choose none if it is one everywhere.'),
  ],
  { hint: 'Days on which the office is closed. Add those of the next year before it begins.' },
)

export const replyTarget = line('replyTarget', 'When visitors get an answer', {
  nullable: true,
  hint: 'Such as: within one working day. It is a promise. Without one, pages say that you answer in your office hours.',
})
