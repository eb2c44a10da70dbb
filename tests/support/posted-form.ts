/** A form with files as a browser posts it: its body, and the headers that say what it is and how long. */
export async function postedForm(fields: readonly (readonly [name: string, value: string | File])[]) {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  const request = new Request('https://agency.test', { method: 'POST', body: form })
  const body = new Uint8Array(await request.arrayBuffer())
  const type = request.headers.get('content-type') ?? ''
  return { body, headers: { 'content-type': type, 'content-length': `${body.length}` } }
}
