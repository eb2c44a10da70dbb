import { addressesIn } from '../../../erasure/addresses.ts'

/**
 * Splits a mail into what its writer has added and what it quotes at its end. Nothing is lost: both together are the mail. Where
 * answers stand between quoted lines, all of it down to the last answer is what was written. Each line is looked at a few times
 * and only in its first characters, so that a hostile text takes linear time.
 */
export interface Split {
  readonly written: string
  readonly quoted: string
}

/** Characters of a line that are compared: attributions are shorter. */
const COMPARED = 300

/** Lines that an attribution takes, as mail programs wrap it. */
const ATTRIBUTION_LINES = 4

const isQuoted = (line: string) => /^\s{0,3}[>＞]/.test(line)
const isBlank = (line: string) => line.trim() === ''

export function splitQuotes(text: string): Split {
  const lines = text.split('\n')
  const separator = findSeparator(lines)
  if (separator >= 0) return cut(lines, separator)
  return cutMarked(lines)
}

function cut(lines: readonly string[], at: number): Split {
  const written = lines.slice(0, at).join('\n').trimEnd()
  // Who sends nothing but a quote has written something in it.
  if (written.trim() === '') return { written: lines.join('\n').trim(), quoted: '' }
  return { written, quoted: lines.slice(at).join('\n').trim() }
}

/** Lines with `>` at the end, and what says whose they are. An answer below or between them stays visible with them. */
function cutMarked(lines: readonly string[]): Split {
  const marked = lines.map(isQuoted)
  const end = lastWritten(lines, marked)
  const start = marked.indexOf(true, end + 1)
  if (start < 0) return cut(lines, lines.length)
  return cut(lines, attributionBefore(lines, start, end))
}

/** The last line that is not quoted, without a signature of a mail program below the quote. */
function lastWritten(lines: readonly string[], marked: readonly boolean[]): number {
  for (let at = lines.length - 1; at >= 0; at--)
    if (!marked[at] && !isBlank(lines[at] ?? '')) {
      const isSeparated = marked.indexOf(true) < at && /^-- ?$/.test(lines[at] ?? '')
      if (isSeparated || !isAttributionOfNext(lines, marked, at)) return at
      return lastBefore(lines, marked, at)
    }
  return -1
}

/** An attribution is the last line that is not quoted. */
function isAttributionOfNext(lines: readonly string[], marked: readonly boolean[], at: number): boolean {
  const next = marked.indexOf(true, at + 1)
  return next > 0 && next - at <= 2 && endsAttribution(lines[at] ?? '')
}

/** What was written before an attribution that ends here. */
function lastBefore(lines: readonly string[], marked: readonly boolean[], at: number): number {
  const first = firstOfAttribution(lines, at, -1)
  for (let before = first - 1; before >= 0; before--)
    if (!isBlank(lines[before] ?? '') && !marked[before]) return before
  return first - 1 >= 0 && marked[first - 1] ? first - 1 : -1
}

/** Where the attribution of quoted lines begins, or the first of them. */
function attributionBefore(lines: readonly string[], start: number, end: number): number {
  let at = start - 1
  while (at > end && isBlank(lines[at] ?? '')) at--
  return at > end && endsAttribution(lines[at] ?? '') ? firstOfAttribution(lines, at, end) : start
}

/** A person, a time, and a colon or a word for *wrote*. */
function endsAttribution(line: string): boolean {
  const seen = line.trim().slice(-COMPARED)
  return /[:：]$/.test(seen) || /\bwrote\s*-{2,}$/.test(seen)
}

/** Mail programs wrap it: its first line has the time or follows an empty line. */
function firstOfAttribution(lines: readonly string[], last: number, end: number): number {
  let first = last
  for (let count = 1; count < ATTRIBUTION_LINES && first - 1 > end; count++) {
    if (startsAttribution(lines[first] ?? '') || isBlank(lines[first - 1] ?? '')) break
    first--
  }
  return first
}

/** *On*, *Am*, *Le* … in the languages that mail programs have, or what a date begins with. */
const STARTS =
  /^\s*(?:on|am|le|el|il|em|op|den|dnia|vào|på|в|în|tarihinde|at|在|於|于|\d{4}[-/.年]|\d{1,2}[-/.]\d{1,2}|-{2,}\s*on)(?=[\s\d]|$)/iu
const startsAttribution = (line: string) =>
  STARTS.test(line.slice(0, COMPARED)) && /\d/.test(line.slice(0, COMPARED))

/** Of a mail whose quote has no marks: where a line says that what follows is quoted. -1 without one. */
function findSeparator(lines: readonly string[]): number {
  const hasMarks = lines.some(isQuoted)
  for (let at = 0; at < lines.length; at++) {
    const line = (lines[at] ?? '').slice(0, COMPARED)
    if (isQuoted(line) || isForward(line)) return -1
    if (isSeparator(line) || startsHeaders(lines, at)) return at
    if (isRule(line) && startsHeaders(lines, at + 1)) return at
    if (!hasMarks && startsUnmarked(lines, at)) return at
  }
  return -1
}

/** What is forwarded is what the mail is about. */
const FORWARDED =
  /^\s*(?:-{2,}\s*)?(?:begin forwarded message:?|forwarded message|weitergeleitete nachricht|message transféré|mensaje reenviado|mensagem encaminhada|messaggio inoltrato|转发的邮件|轉寄的郵件|転送メッセージ|전달된 메시지|thư chuyển tiếp|الرسالة المُعاد توجيهها|رسالة معاد توجيهها)\s*-*\s*:?\s*$/iu
const isForward = (line: string) => FORWARDED.test(line)

/** *Original message* between dashes. */
const ORIGINAL =
  /^\s*-{2,}\s*(?:original (?:message|mail|appointment)|ursprüngliche (?:nachricht|e-?mail)|original-?nachricht|message d['’]origine|message original|mensaje original|mensagem original|messaggio originale|oorspronkelijk bericht|originalmeddelande|原始邮件|原始郵件|原邮件|邮件原件|元のメッセージ|원본 메시지|원본 메일|원래 메시지|thư gốc|tin nhắn gốc|الرسالة الأصلية|मूल संदेश)\s*-{2,}\s*$/iu
const isSeparator = (line: string) => ORIGINAL.test(line)

const isRule = (line: string) => /^\s*[_-]{8,}\s*$/.test(line)

/** The headers that Outlook repeats above what it quotes, in its languages: who, and one of the others soon after. */
const FROM =
  /^\s*\*?(?:from|von|de|da|van|från|发件人|寄件者|寄件人|差出人|보낸 ?사람|từ|người gửi|من|प्रेषक|से)\s*\*?\s*[:：]\*?\s*\S/iu
const OTHERS =
  /^\s*\*?(?:sent|date|to|subject|gesendet|datum|an|betreff|envoyé|à|objet|enviado(?: el)?|fecha|para|asunto|assunto|data|inviato|a|oggetto|发送时间|发送日期|收件人|主题|日期|傳送時間|寄件日期|主旨|送信日時|日時|宛先|件名|보낸 ?날짜|날짜|받는 ?사람|제목|đã gửi|gửi|ngày|đến|tới|chủ đề|تاريخ الإرسال|التاريخ|إلى|الموضوع|भेजा गया|दिनांक|प्रति|विषय)\s*\*?\s*[:：]\*?/iu

function startsHeaders(lines: readonly string[], from: number): boolean {
  let at = from
  while (at < from + 2 && isBlank(lines[at] ?? 'x')) at++
  if (!FROM.test((lines[at] ?? '').slice(0, COMPARED))) return false
  const following = lines.slice(at + 1, at + 6).filter(line => OTHERS.test(line.slice(0, COMPARED)))
  return following.length >= 2
}

/** *Wrote* at the end of an attribution above text without marks. */
const WROTE =
  /(?:\bwrote|\bschrieb|\ba écrit|\bescribió|\bescreveu|\bha scritto|\bschreef|\bskrev|\bnapisał\(?a?\)?|написал\(?а?\)?|写道|寫道|がメールを書きました|のメール|님이 작성|님이 썼습니다|đã viết|كتب(?:ت)?|ने लिखा)$/iu
/** Characters in which it stands. */
const WROTE_WITHIN = 40

/** With a colon or dashes after it. In German, the time may stand between them. */
function endsWithWrote(text: string): boolean {
  let end = text.length
  if (/[:：]/.test(text.at(-1) ?? '')) end--
  else {
    while (text[end - 1] === '-') end--
    if (text.length - end < 2) return false
  }
  const said = text.slice(0, end).trimEnd()
  return WROTE.test(said.slice(-WROTE_WITHIN)) || /\bschrieb am /iu.test(said)
}

/** It has a time, and takes a few lines at most. */
function startsUnmarked(lines: readonly string[], at: number): boolean {
  if (!startsAttribution(lines[at] ?? '') && !(lines[at] ?? '').includes('@')) return false
  let joined = ''
  for (const line of lines.slice(at, at + ATTRIBUTION_LINES)) {
    if (isBlank(line)) return false
    joined += ` ${line.slice(0, COMPARED)}`
    if (endsWithWrote(joined.trim())) return /\d/.test(joined)
  }
  return false
}

/**
 * Who wrote what is quoted, as its first lines say: an address, or what a header has in place of one. Null where they do not say.
 */
export function senderOfQuote(quoted: string): string | null {
  const lines = quoted.split('\n').slice(0, ATTRIBUTION_LINES + 2)
  const own = lines.filter(line => !isQuoted(line)).map(line => line.slice(0, COMPARED))
  const from = own.find(line => FROM.test(line))
  const [address] = (from === undefined ? own : [from]).flatMap(addressesIn)
  return address ?? from?.replace(/^[^:：]*[:：]\W*/u, '').trim() ?? null
}

/** Lines of a quote that are compared with what it may quote. */
const MAX_COMPARED_LINES = 2000

/**
 * Makes answers visible that stand between the lines of a quote without marks, as Outlook leaves them: a line that is in none of
 * the emails, between two that are in the same one. @param emails what was sent before
 */
export function showInlineAnswers({ written, quoted }: Split, emails: readonly string[]): Split {
  if (quoted === '' || emails.length === 0) return { written, quoted }
  const lines = quoted.split('\n').slice(0, MAX_COMPARED_LINES)
  if (lines.some(isQuoted)) return { written, quoted }
  const plain = emails.map(email => flatten(email))
  const last = Math.max(...plain.map(email => lastAnswer(lines, email)))
  if (last < 0) return { written, quoted }
  const all = quoted.split('\n')
  return {
    written: `${written}\n\n${all.slice(0, last + 1).join('\n')}`.trim(),
    quoted: all
      .slice(last + 1)
      .join('\n')
      .trim(),
  }
}

const flatten = (text: string) => text.replace(/\s+/gu, ' ').trim()

/** The last line that was added between two lines of an email; -1 without one. */
function lastAnswer(lines: readonly string[], email: string): number {
  const isOfLetter = lines.map(line => {
    const flat = flatten(line)
    return flat.length >= 3 && email.includes(flat)
  })
  const [first, last] = [isOfLetter.indexOf(true), isOfLetter.lastIndexOf(true)]
  for (let at = last - 1; at > first; at--)
    if (!isOfLetter[at] && flatten(lines[at] ?? '').length >= 3) return at
  return -1
}
