import type { TestMutation } from './mutation.ts'

const rules = 'src/content/claims/find-claims.test.ts'
const hostile = 'src/content/claims/hostile-claims.test.ts'
const publishing = 'src/features/content-editor/check-claims.test.ts'
const check = 'src/features/content-editor/check-claims.server.ts'

/** What keeps a claim off the public pages until somebody takes responsibility for it. */
export const claimMutations: readonly TestMutation[] = [
  {
    name: 'An editor cannot override a stop',
    file: 'src/content/claims/finding.ts',
    text: "return level !== 'stop' || role === 'admin'",
    instead: "return level !== 'stop' || role !== 'viewer'",
    test: publishing,
    named: '(W12)',
  },
  {
    name: 'A claim without a reason is not published',
    file: check,
    text: 'if (blocking.length > 0)',
    instead: 'if (blocking.length < 0)',
    test: publishing,
    named: '(W12)',
  },
  {
    name: 'A reason is for one sentence in one field',
    file: check,
    text: 'return JSON.stringify([rule, path, sentence])',
    instead: 'return rule + path.length * 0 + sentence.length * 0',
    test: publishing,
    named: 'asks again',
  },
  {
    name: 'Only what is live does not block again',
    file: check,
    text: 'known.has(claimKey(finding)) &&',
    instead: 'known.size > 0 &&',
    test: publishing,
    named: 'an edit of it blocks',
  },
  {
    name: 'The reason of a claim that stays is kept with the next version',
    file: check,
    text: 'overridden.set(placeKey(finding), record(finding, kept.reason, kept))',
    instead: 'continue',
    test: publishing,
    named: 'keeps its reason',
  },
  {
    name: 'A sample that is hidden is not repeated where visitors would read it',
    file: check,
    text: ' && !isTakenOut(before.get(claimKey(finding)), finding)',
    instead: '',
    test: 'src/features/site/samples.test.ts',
    named: 'outside of the claims',
  },
  {
    name: 'Findings that a reply leaves out block as well',
    file: check,
    text: 'const findings = findBlocking(check.draft, context)\n',
    instead: 'const findings = findBlocking(check.draft, context).slice(0, MAX_FINDINGS)\n',
    test: publishing,
    named: 'two hundred',
  },
  {
    name: 'Invisible characters hide no claim',
    file: 'src/content/claims/clean-text.ts',
    text: '\\p{Default_Ignorable_Code_Point}\\u0080-\\u009F',
    instead: '',
    test: rules,
  },
  {
    name: 'Characters of other scripts hide no claim',
    file: 'src/content/claims/clean-text.ts',
    text: 'plainLetters.get(character) ?? ',
    instead: '',
    test: rules,
  },
  {
    name: 'A bold syllable hides no claim',
    file: 'src/content/claims/leaves.ts',
    text: "return content.map(runOf).join('')",
    instead: "return content.map(runOf).join(' ')",
    test: rules,
    named: 'across runs',
  },
  {
    name: 'No name of a column hides what its cells claim',
    file: 'src/content/claims/leaves.ts',
    text: "if (typeof text !== 'string') continue",
    instead: "if (typeof text !== 'string' || skipped.has(String(id))) continue",
    test: rules,
    named: 'cells of a table',
  },
  {
    name: 'At an https address visitors read no claim that nobody has confirmed',
    file: 'src/content/store.server.ts',
    text: 'if (hidesSamples) hidden = samples',
    instead: 'hidden = new Set()',
    test: 'src/features/site/samples.test.ts',
    named: 'hidden from visitors',
  },
  {
    name: 'A reason of the product itself confirms nothing',
    file: 'src/content/claims/samples.ts',
    text: 'return author === SAMPLE_AUTHOR && reason === SAMPLE_REASON',
    instead: "return author === SAMPLE_AUTHOR && reason === ''",
    test: 'src/features/site/samples.test.ts',
    named: 'hidden from visitors',
  },
  {
    name: 'A "not" denies only its own statement',
    file: 'src/content/claims/disclaimers.ts',
    text: 'const last = [...main.matchAll(boundary)].at(-1)',
    instead: 'const last = [...main.matchAll(/[.!?]/g)].at(-1)',
    test: rules,
  },
  {
    name: 'A long text takes a time in proportion to its length',
    file: 'src/content/claims/number-rules.ts',
    text: '\\b\\d[\\d,]{0,15} ?(?:dollars',
    instead: '\\b\\d[\\d,]* ?(?:dollars',
    test: hostile,
    named: 'in proportion',
  },
]
