import type { TestMutation } from './mutation.ts'

const LINK = 'src/auth/password-link.ts'
const SET = 'src/features/password-link/api.server.ts'
const SET_TEST = 'src/features/password-link/set-password.test.ts'
const FORGOT_TEST = 'src/features/password-link/forgot-password.test.ts'
const INVITATION_TEST = 'src/features/users/invitation.test.ts'

const SET_UP = 'src/features/set-up/api.server.ts'
const SET_UP_TEST = 'src/features/set-up/set-up.test.ts'

/** Links with which a password is set: *Forgot password?*, invitations, and the one of the first admin. */
export const passwordLinkMutations: readonly TestMutation[] = [
  {
    name: 'A set-up link is dead once there are users',
    file: SET_UP,
    text: 'if (!isRight || (await hasUsers(db)))',
    instead: 'if (!isRight)',
    test: SET_UP_TEST,
    named: 'from before is dead',
  },
  {
    name: 'A set-up link works for a day',
    file: SET_UP,
    text: ' && isWithin(link.expiresAt, clock, 0, LINK_LIFETIME)',
    instead: '',
    test: SET_UP_TEST,
    named: 'works for a day',
  },
  {
    name: 'Two people with one set-up link make one admin',
    file: SET_UP,
    text: '    // Again: meanwhile somebody else may have used it.\n    await assertLinkWorks(services, transaction, input.token)\n',
    instead: '',
    test: SET_UP_TEST,
    named: 'at the same moment',
  },
  {
    name: 'A request for a link does not look for an account',
    file: 'src/features/password-link/reset-links.server.ts',
    text: '  await insertRequest(db, clock, email)\n',
    instead:
      "  await insertRequest(db, clock, email)\n  const user = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()\n  if (user) for (let step = 0; step < 20; step++) await settings.publicValues().then(() => db.selectFrom('users').selectAll().execute())\n",
    test: FORGOT_TEST,
    named: 'takes as long for an account',
  },
  {
    name: 'Requests for a link are limited by client',
    file: 'src/features/password-link/api.server.ts',
    text: '    { perAddress: REQUESTS_PER_ADDRESS },\n',
    instead: '',
    test: FORGOT_TEST,
    named: '(E7)',
  },
  {
    name: 'A form that cannot load the bot check gets few links',
    file: 'src/features/password-link/reset-links.server.ts',
    text: '  if (isUnverified(verification)) await',
    instead: '  if (verification === null) await',
    test: FORGOT_TEST,
    named: 'needs a token of the bot check',
  },
  {
    name: 'No link is sent to an unverified address',
    file: 'src/features/password-link/reset-links.server.ts',
    text: 'if (!email_verified) return',
    instead: "if (id === '') return",
    test: FORGOT_TEST,
    named: '(E8)',
  },
  {
    name: 'The links of an account are limited',
    file: 'src/features/password-link/reset-links.server.ts',
    text: 'links < MAX_LINKS',
    instead: 'links < Number.POSITIVE_INFINITY',
    test: FORGOT_TEST,
    named: 'three links at a time',
  },
  {
    name: 'An account gets ten links a day',
    file: 'src/features/password-link/reset-links.server.ts',
    text: ' && (await rateLimiter.tryConsume(LINKS_PER_DAY, id))',
    instead: '',
    test: FORGOT_TEST,
    named: 'ten links in a day',
  },
  {
    name: 'A link expires',
    file: LINK,
    text: '!link || !isWithin(link.expires_at, clock, 0, LINK_LIFETIMES[link.purpose])',
    instead: '!link',
    test: SET_TEST,
    named: 'thirty minutes (E9)',
  },
  {
    name: 'A link is bound to the address',
    file: LINK,
    text: 'user.email !== link.email || ',
    instead: '',
    test: SET_TEST,
    named: '(E10)',
  },
  {
    name: 'A link is bound to the password',
    file: LINK,
    text: ' || fingerprint(user) !== link.password_fingerprint',
    instead: '',
    test: SET_TEST,
    named: '(E10)',
  },
  {
    name: 'The token of a link is in the fragment',
    file: LINK,
    text: '}#token=',
    instead: '}?token=',
    test: INVITATION_TEST,
    named: 'gets an invitation',
  },
  {
    name: 'A link is checked again before the password is set',
    file: SET,
    text: '(await findPasswordLink(transaction, clock, token)) ?? throwInvalidLink()',
    instead: 'opened',
    test: SET_TEST,
    named: 'twenty times concurrently (E9)',
  },
  {
    name: 'A new password deletes the other links',
    file: 'src/auth/change-account.ts',
    text: '  await deletePasswordLinks(transaction, userId)\n  await deleteTrustedDevices(transaction, userId)\n  await deletePendingSignIns(transaction, userId)\n}\n\n/** Links',
    instead:
      '  await deleteTrustedDevices(transaction, userId)\n  await deletePendingSignIns(transaction, userId)\n}\n\n/** Links',
    test: SET_TEST,
    named: 'and other links (E11)',
  },
  {
    name: 'A password set by link ends the sessions',
    file: SET,
    text: '    await deleteSessionsOf(transaction, user.id)\n',
    instead: '',
    test: SET_TEST,
    named: 'ends sessions',
  },
  {
    name: 'A password set by link keeps the count of wrong codes',
    file: SET,
    text: 'await replacePassword(transaction',
    instead: 'await (await import("../../auth/change-account.ts")).setPassword(transaction',
    test: SET_TEST,
    named: 'keeps the count of wrong codes',
  },
  {
    name: 'The owner gets an email about a password set by link',
    file: SET,
    text: "if (purpose === 'reset') await",
    instead: "if (purpose !== 'reset') await",
    test: SET_TEST,
    named: 'signs nobody in',
  },
  {
    name: 'No password matches that of an invited user',
    file: 'src/auth/password.ts',
    text: "(stored || DUMMY_HASH).split('$')",
    instead: "(stored ?? DUMMY_HASH).split('$')",
    test: INVITATION_TEST,
    named: '(E13)',
  },
  {
    name: 'A new invitation replaces the one before',
    file: 'src/auth/account-emails.ts',
    text: '  await deletePasswordLinks(transaction, user.id)\n',
    instead: '',
    test: INVITATION_TEST,
    named: 'replaces the one before',
  },
  {
    name: 'An invitation is sent only to a user without a password',
    file: 'src/features/users/api.server.ts',
    text: "if (!isInvited(user)) throwHttpError(409, 'This user has a password already')",
    instead: '',
    test: INVITATION_TEST,
    named: 'replaces the one before',
  },
  {
    name: 'A stranger at the old address of an invitation learns nothing',
    file: 'src/features/users/change-user.server.ts',
    text: 'isInvited(before) && !passwordHash ? sendInvitation : sendAddressChanged',
    instead: 'sendAddressChanged',
    test: INVITATION_TEST,
    named: 'corrects it',
  },
]
