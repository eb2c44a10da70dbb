import { walk } from '../json.ts'
import { advertisingRules, findInLinks, findLongSentence } from './advertising-rules.ts'
import { type Found, ownFromInPlain, placeInShown, type Sentence, splitSentences } from './clean-text.ts'
import type { ClaimContext, Finding, Rule } from './finding.ts'
import { type Leaf, leavesOf } from './leaves.ts'
import {
  closedSubclass,
  describesFees,
  elsewhere,
  findClosedOffer,
  findFee,
  findNumber,
  incompleteFee,
  looseNumber,
  namesGst,
} from './number-rules.ts'
import { promiseRules } from './promise-rules.ts'
import { findInStructure } from './structure-rules.ts'
import { findWording, hasCue } from './wording.ts'

const wordingRules = [...promiseRules, ...advertisingRules]

interface ReadLeaf extends Leaf {
  readonly sentences: readonly Sentence[]
}

/** With the sentences before and after it, which may be the heading that a short text is about. */
interface PlacedLeaf extends ReadLeaf {
  readonly before: Sentence | undefined
  readonly after: Sentence | undefined
}

interface Page {
  /** The blocks in which a fee is complete: the GST beside it, the total and the date anywhere on the page. */
  readonly withFees: ReadonlySet<string>
  readonly context: ClaimContext
}

/**
 * What a body says that an agency should not say, or not without a reason. Pure, the same in browser and server; of any
 * body, valid or not. No finding does not mean that a text complies. Only English is read.
 */
export function findClaims(body: unknown, context: ClaimContext): Finding[] {
  return [...claimsOf(body, context)].flat()
}

/** The same in steps of about one sentence, so that a server can do something else in between. */
export function* claimsOf(body: unknown, context: ClaimContext): Generator<readonly Finding[]> {
  if (!/^en\b/i.test(context.language)) return
  const leaves: ReadLeaf[] = []
  for (const leaf of leavesOf(body)) {
    leaves.push({ ...leaf, sentences: splitSentences(leaf.text, context.facts, leaf.ownFrom) })
    yield []
  }
  const page = { context, withFees: findCompleteFees(leaves) }
  const parts = [...walk(body)]
  yield findInStructure(parts, context)
  for (const [at, leaf] of leaves.entries()) {
    const near = {
      before: besideOf(leaf, leaves[at - 1])?.at(-1),
      after: besideOf(leaf, leaves[at + 1])?.[0],
    }
    for (const at of leaf.sentences.keys()) yield findInSentence({ ...leaf, ...near }, at, page)
  }
  for (const part of parts) if (part.path !== 'path') yield findInLinks(part, context)
}

/** The sentences of another leaf, if visitors read both as one: a title with its description, a heading with its text. */
function besideOf({ block }: ReadLeaf, other: ReadLeaf | undefined): readonly Sentence[] | null {
  return other && parentOf(other.block) === parentOf(block) ? other.sentences : null
}

const parentOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('.')))

/** Once for a page: to read all of it again for each fee takes time that grows with the square of its length. */
function findCompleteFees(leaves: readonly ReadLeaf[]): ReadonlySet<string> {
  const blocks = new Map<string, string[]>()
  for (const { block, sentences } of leaves) {
    const lines = blocks.get(block) ?? []
    lines.push(...sentences.map(({ plain }) => plain))
    blocks.set(block, lines)
  }
  if (!describesFees([...blocks.values()].flat().join(' '))) return new Set()
  return new Set([...blocks].filter(([, lines]) => namesGst(lines.join(' '))).map(([block]) => block))
}

function findInSentence(leaf: PlacedLeaf, at: number, page: Page): Finding[] {
  const sentence = leaf.sentences[at]
  if (!sentence) return []
  const find: Find = (rule, read, found) =>
    found === null
      ? []
      : [{ ...describe(rule), path: leaf.path, ...quoteOf(sentence, read, found, page.context) }]
  const wording = hasCue(sentence.said) ? findAllWording(leaf, at, find) : []
  const offer = findClosedOffer(sentence.plain, page.context.subclasses)
  const closed = find(closedSubclass, sentence.plain, offer)
  const claims = [...wording, ...closed]
  const hints = leaf.isName ? [] : findLongSentence(sentence, leaf.path)
  // The number is part of the claim then.
  return [...claims, ...(claims.length > 0 ? [] : findNumbers(leaf, sentence, page, find)), ...hints]
}

/** @param read the text in which it was found: `plain` or `said` of the sentence */
type Find = (rule: Rule, read: string, found: Found | null) => Finding[]

/** The words that a reader is shown. Of headings or a label nobody can say anything else here: then it is all of the field. */
function quoteOf(sentence: Sentence, read: string, found: Found, { facts }: ClaimContext) {
  const { shown, ownFrom } = sentence
  const place = placeInShown(sentence, read, found, facts)
  const [start, end] = place && place.end <= ownFrom ? [ownFrom, shown.length] : [place?.start, place?.end]
  if (start === undefined) return { sentence: shown, quote: read.slice(found.start, found.end), at: null }
  const words = shown.slice(start, end)
  return { sentence: shown, quote: words.trim(), at: start + words.length - words.trimStart().length }
}

/** One finding for each rule, although a rule may have several patterns. */
function findAllWording({ sentences, lead, before, after }: PlacedLeaf, at: number, find: Find): Finding[] {
  const said = sentences[at]?.said ?? ''
  const beside = [sentences[at - 1] ?? before, sentences[at], sentences[at + 1] ?? after]
    .map(it => it?.said.slice(0, 500) ?? '')
    .join(' ')
  const findings = new Map<string, Finding>()
  for (const rule of wordingRules) {
    if (findings.has(rule.rule)) continue
    const found = findWording(rule, said, beside, lead)
    for (const finding of find(rule, said, found)) findings.set(rule.rule, finding)
  }
  return [...findings.values()]
}

function findNumbers(leaf: ReadLeaf, sentence: Sentence, page: Page, find: Find): Finding[] {
  const { plain } = sentence
  if (leaf.isName || !/\d/.test(plain)) return []
  // A number in a heading is no finding of each cell below it.
  const from = ownFromInPlain(sentence)
  const fee = findFee(plain, from)
  if (fee !== null) return page.withFees.has(leaf.block) ? [] : find(incompleteFee, plain, fee)
  const rule = leaf.takesFacts ? looseNumber : { ...looseNumber, suggestion: elsewhere }
  return find(rule, plain, findNumber(plain, page.context.subclasses, from))
}

function describe({ rule, level, why, source, suggestion }: Rule): Rule {
  return { rule, level, why, source, ...(suggestion !== undefined && { suggestion }) }
}
