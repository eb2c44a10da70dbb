import type { LogLevel, LogSource } from '../src/log/levels.ts'

/** What seeded rows are made of. */
type Some<T> = readonly [T, ...T[]]

export const firstNames: Some<string> = [
  'Aisha',
  'Ana',
  'Bao',
  'Carlos',
  'Chen',
  'Dimitra',
  'Elif',
  'Fatima',
  'Grace',
  'Hana',
  'Ibrahim',
  'Ines',
  'Jasmine',
  'Kofi',
  'Lakshmi',
  'Liam',
  'Mai',
  'Mateo',
  'Nadia',
  'Oluwaseun',
  'Priya',
  'Ravi',
  'Sofia',
  'Tariq',
  'Wei',
  'Yuki',
  'Zoe',
]

export const lastNames: Some<string> = [
  'Ahmed',
  'Brown',
  'Costa',
  'Dlamini',
  'Evans',
  'Fernando',
  'Garcia',
  'Haddad',
  'Ito',
  'Jones',
  'Kaur',
  'Kim',
  'Lopez',
  'Mehta',
  'Nguyen',
  'Okafor',
  'Patel',
  'Quispe',
  'Reyes',
  'Santos',
  'Singh',
  'Tanaka',
  'Williams',
  'Yilmaz',
  'Zhang',
]

export const occupations: Some<string> = ['Registered nurse', 'Electrician', 'Chef', 'Civil engineer']

export const openings: Some<string> = [
  'Hello, I found your office through a friend.',
  'Good morning. My family and I live in Perth on a temporary visa.',
  'I am a registered nurse with six years of experience.',
  'My partner is an Australian citizen and we have been together for four years.',
  'We run a small engineering firm in Brisbane and look for staff overseas.',
  'I finished my degree in Melbourne last December.',
]

export const questions: Some<string> = [
  'Can my sister join us for more than a holiday?',
  'Which of the skilled visas would suit me, and what should I prepare first?',
  'How long does the second stage of a partner visa take at present?',
  'Our employer offered to nominate me for a subclass 186. Is three years of experience enough?',
  'I applied in March and have heard nothing since; could you look at where my application stands?',
  'Is there anything left of the business programme for somebody in my position?',
]

export const closings: Some<string> = [
  'Thank you for your time.',
  'I can call on weekdays after five.',
  'Please write to me in English or Spanish.',
  'I would be glad to pay for an appointment.',
]

export const verifications: Some<string> = [
  'verified',
  'verified',
  'verified',
  'off',
  'off',
  'unverified:script_failed',
  'suspect:0.3',
]

export const logEntries: Some<readonly [LogLevel, LogSource, string]> = [
  ['info', 'FormService', 'Enquiry received'],
  ['info', 'FormService', 'Enquiry received'],
  ['info', 'FormService', 'Enquiry received'],
  ['info', 'EmailService', 'Email sent'],
  ['info', 'EmailService', 'Email sent'],
  ['info', 'EmailService', 'Email sent'],
  ['info', 'Auth', 'Signed in'],
  ['info', 'Auth', 'Signed out'],
  ['info', 'API', 'Message deleted'],
  ['warning', 'Auth', 'Sign-in failed: wrong password'],
  ['warning', 'API', 'Rate limit reached'],
  ['warning', 'EmailService', 'Email not sent: will retry'],
  ['error', 'FormService', 'The bot check is not responding; forms are accepted without it for now'],
  ['critical', 'API', 'Database unavailable'],
]

export const browsers: Some<string> = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36',
  'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/142.0 Mobile Safari/537.36',
]
