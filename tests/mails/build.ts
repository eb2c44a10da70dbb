/** A mail of the corpus, and what becomes of it. What is not named is as in a plain mail of a person. */
export interface Sample {
  readonly name: string
  readonly raw: Buffer
  readonly text: string
  readonly quoted?: 'folded' | 'none'
  readonly automatic?: 'reply' | 'report' | 'list'
  readonly subject?: string
  readonly from?: string
  readonly attachments?: readonly string[]
  readonly problem?: RegExp
  /** The recipient and the status of an email that came back. */
  readonly failed?: string
}

interface Fields {
  readonly headers?: readonly string[]
  readonly from?: string
  readonly subject?: string
  /** With line breaks as here; bytes as they are. */
  readonly body: string | Buffer
  readonly type?: string
  readonly encoding?: string
}

/** A mail in bytes. */
export function mail({
  headers = [],
  from = 'Mai Nguyen <mai@visitor.test>',
  subject = 'My visa',
  body,
  type,
  encoding,
}: Fields): Buffer {
  const head = [
    ...headers,
    ...[
      `From: ${from}`,
      'To: info@agency.test',
      `Subject: ${subject}`,
      'Date: Mon, 30 Nov 2026 10:00:00 +1100',
    ],
    ...[`Message-ID: <sample@visitor.test>`, 'MIME-Version: 1.0'],
    ...(type === '' ? [] : [`Content-Type: ${type ?? 'text/plain; charset=utf-8'}`]),
    ...(encoding ? [`Content-Transfer-Encoding: ${encoding}`] : []),
  ]
  const bytes = typeof body === 'string' ? Buffer.from(body.replaceAll('\n', '\r\n')) : body
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes, Buffer.from('\r\n')])
}

/** Parts with their headers, one below the other. */
export function parts(...all: readonly string[]): string {
  return [...all.flatMap(part => ['--part', part]), '--part--'].join('\n')
}

export const MULTIPART = 'multipart/mixed; boundary=part'

/** As HTML alone, as several programs send it. */
export const html = (body: string) => mail({ body, type: 'text/html; charset=utf-8' })
