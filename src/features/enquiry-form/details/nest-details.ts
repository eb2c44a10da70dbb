/** The names of the details in a form begin with it. */
export const DETAILS = 'details.'

/** The fields of a form as the calls take them: `details.age` becomes `age` of the details. */
export function nestDetails(fields: object): object {
  const entries = Object.entries(fields)
  const isDetail = ([name]: (typeof entries)[number]) => name.startsWith(DETAILS)
  const details = entries.filter(isDetail).map(([name, value]) => [name.slice(DETAILS.length), value])
  return {
    ...Object.fromEntries(entries.filter(entry => !isDetail(entry))),
    details: Object.fromEntries(details),
  }
}
