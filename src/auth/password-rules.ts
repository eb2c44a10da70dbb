import * as z from 'zod/mini'

/** Characters. */
const MIN_LENGTH = 8
/** Characters. A longer password would only take longer to hash. */
export const MAX_PASSWORD_LENGTH = 256

interface PasswordRule {
  readonly message: string
  /** Shown below the message, where that does not say what counts. */
  readonly hint?: string
  isSatisfiedBy(password: string): boolean
}

/** Any that is neither letter, digit nor space: a hyphen as much as an exclamation mark. */
const specialCharacter = /[^\p{L}\p{M}\p{N}\s]/u

/** The rules for a new password, in the order in which the form lists them. */
export const passwordRules: readonly PasswordRule[] = [
  {
    message: 'Password must be at least 8 characters',
    isSatisfiedBy: password => password.length >= MIN_LENGTH,
  },
  {
    message: 'Password must contain at least one lowercase letter',
    isSatisfiedBy: password => /[a-z]/.test(password),
  },
  {
    message: 'Password must contain at least one uppercase letter',
    isSatisfiedBy: password => /[A-Z]/.test(password),
  },
  {
    message: 'Password must contain at least one number',
    isSatisfiedBy: password => /[0-9]/.test(password),
  },
  {
    message: 'Password must contain at least one special character',
    hint: 'Such as - ! ? or .',
    isSatisfiedBy: password => specialCharacter.test(password),
  },
  {
    message: 'Password must be at most 256 characters',
    isSatisfiedBy: password => password.length <= MAX_PASSWORD_LENGTH,
  },
  {
    message: 'Password must not be a common one that others would guess',
    isSatisfiedBy: password => !isCommonPassword(password),
  },
]

/** A newly chosen password. Each broken rule has its own message. */
export const NewPassword = z
  .string('Password must be at least 8 characters')
  .check(...passwordRules.map(({ message, isSatisfiedBy }) => z.refine<string>(isSatisfiedBy, message)))

/**
 * The base words of the passwords that are most frequent in leaked lists, and the words that an attacker would try
 * first on an agency like this one. A list of whole passwords would miss `Password1!`, `P@ssw0rd2026` and thousands of
 * other variants, and the composition rules already reject most entries of such a list.
 */
const commonWords = new Set(
  `password passwort passw pass passwd passphrase passcode admin administrator adminadmin root user guest login logmein
  letmein openup openme welcome hello hellohello welcometo changeme changeit changethis default temp temporary test
  testing tester secret secure security safety access master manager office company business staff support service
  system server network internet computer laptop windows microsoft google apple samsung android facebook instagram
  linkedin youtube amazon netflix qwerty qwertz azerty qwertyui qwertyuiop qwert asdf asdfgh asdfghjkl zxcvb zxcvbn
  zxcvbnm qazwsx qazwsxedc qweasd qweasdzxc abc abcd abcde abcdef abcdefg abcdefgh abcxyz aaa aaaa aaaaa aaaaaa
  iloveyou ilove love loveme lovely lover sweetheart babygirl baby angel princess queen king prince sunshine rainbow
  flower rose lily jasmine orange banana cherry summer winter spring autumn season january february march april may
  june july august september october november december monday tuesday wednesday thursday friday saturday sunday
  weekend holiday christmas easter birthday monkey dragon tiger lion eagle falcon shark dolphin panda puppy kitty
  horse wolf bear phoenix unicorn butterfly spider batman superman spiderman ironman starwars pokemon pikachu naruto
  matrix hunter killer shadow ninja warrior soldier ranger cowboy pirate wizard magic mystery fantasy diamond gold
  golden silver platinum crystal money dollar million cash football soccer rugby cricket tennis baseball basketball
  hockey golf liverpool chelsea arsenal barcelona madrid juventus michael daniel david andrew matthew joshua james
  john robert william thomas charlie george jordan anthony jessica jennifer michelle ashley amanda nicole sarah
  samantha maria anna emma olivia sophie chloe australia aussie australian sydney melbourne brisbane perth adelaide
  canberra darwin hobart queensland victoria tasmania kangaroo koala wallaby matilda gday mate ozzie straya landfall
  migration migrate migrant immigration visa visas passport embassy agent agency consultant lawyer citizen
  citizenship residency settlement freedom forever whatever nothing something everything trustno trustme blink
  metallica nirvana eminem beatles music guitar dance happy smile friend friends family mother father sister brother
  mama papa daddy mommy jesus christ god heaven blessed faith hope grace peace ferrari porsche mercedes toyota honda
  yamaha harley mustang corvette camaro ford holden chocolate cookie pepper ginger coffee cheese pizza hottest fuck
  fuckyou fuckoff asshole bitch sexy biteme cheater startrek computer1 super superstar champion winner legend hero`
    .split(/\s+/)
    .filter(Boolean),
)

/** Digits and signs that people use in place of a character from a to z. */
const lookAlikes: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
}

/** Characters around a common word that do not make it a safe password: `!1Password2026!`. */
const MAX_AROUND = 8
const MAX_COMMON = 40

/** Whether a password is a common word with digits and signs around it, inside it, or both. */
function isCommonPassword(password: string): boolean {
  if (password.length > MAX_COMMON) return false
  const lower = password.toLowerCase()
  return [/^[^a-z]*(.*?)[^a-z]*$/s, /^[^a-z@$]*(.*?)[^a-z@$]*$/s, /^(.*?)[^a-z]*$/s].some(around => {
    const core = around.exec(lower)?.[1] ?? ''
    return lower.length - core.length <= MAX_AROUND && commonWords.has(plain(core))
  })
}

/** `p@ssw0rd` → `password`, `pass-word` → `password`. */
function plain(core: string): string {
  return core.replace(/[^a-z]/g, sign => lookAlikes[sign] ?? '')
}
