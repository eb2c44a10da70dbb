import { advertisingRules } from './advertising-rules.ts'
import { type Sentence, splitSentences } from './clean-text.ts'
import type { ClaimContext, Finding, Rule } from './finding.ts'
import { findInLinks, findLongSentence } from './hint-rules.ts'
import { type Leaf, leavesOf, partsOf } from './leaves.ts'
import {
  closedSubclass,
  describesFees,
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
  if (!/^en\b/i.test(context.language)) return []
  const leaves = leavesOf(body).map(leaf => ({
    ...leaf,
    sentences: splitSentences(leaf.text, context.facts),
  }))
  const page = { context, withFees: findCompleteFees(leaves) }
  const parts = [...partsOf(body)]
  return [
    ...findInStructure(parts, context),
    ...leaves.flatMap((leaf, at) => {
      const near = {
        before: besideOf(leaf, leaves[at - 1])?.at(-1),
        after: besideOf(leaf, leaves[at + 1])?.[0],
      }
      return leaf.sentences.flatMap((_, at) => findInSentence({ ...leaf, ...near }, at, page))
    }),
    ...parts.flatMap(part => (part.path === 'path' ? [] : findInLinks(part, context))),
  ]
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
  const find = (rule: Rule, quote: string | null): Finding[] =>
    quote === null
      ? []
      : [{ ...describe(rule), path: leaf.path, sentence: sentence.shown, quote: quote.trim() }]
  const wording = hasCue(sentence.said) ? findAllWording(leaf, at, find) : []
  const closed = find(closedSubclass, findClosedOffer(sentence.plain, page.context.subclasses))
  const claims = [...wording, ...closed]
  const hints = leaf.isName ? [] : findLongSentence(sentence, leaf.path)
  // The number is part of the claim then.
  return [...claims, ...(claims.length > 0 ? [] : findNumbers(leaf, sentence, page, find)), ...hints]
}

type Find = (rule: Rule, quote: string | null) => Finding[]

/** One finding for each rule, although a rule may have several patterns. */
function findAllWording({ sentences, lead, before, after }: PlacedLeaf, at: number, find: Find): Finding[] {
  const said = sentences[at]?.said ?? ''
  const beside = [sentences[at - 1] ?? before, sentences[at], sentences[at + 1] ?? after]
    .map(it => it?.said.slice(0, 500) ?? '')
    .join(' ')
  const findings = new Map<string, Finding>()
  for (const rule of wordingRules) {
    if (findings.has(rule.rule)) continue
    for (const finding of find(rule, findWording(rule, said, beside, lead))) findings.set(rule.rule, finding)
  }
  return [...findings.values()]
}

function findNumbers({ block, isName }: ReadLeaf, { plain }: Sentence, page: Page, find: Find): Finding[] {
  if (isName || !/\d/.test(plain)) return []
  const fee = findFee(plain)
  if (fee !== null) return page.withFees.has(block) ? [] : find(incompleteFee, fee)
  return find(looseNumber, findNumber(plain, page.context.subclasses))
}

function describe({ rule, level, why, source, suggestion }: Rule): Rule {
  return { rule, level, why, source, ...(suggestion !== undefined && { suggestion }) }
}
