import { useSearchParams } from 'react-router'
import { documentStates, kinds } from './contract.ts'
import type { DocumentFilter } from './queries.ts'

export const FACTS_URL = '/content?view=facts'
export const CLAIMS_URL = '/content?view=claims'
export const PICTURES_URL = '/content?view=pictures'
/** The form of the site leads there too. */
export const BRAND_URL = '/content?view=brand'
export const SAMPLES_URL = '/content?view=samples'
export const REDIRECTS_URL = '/content?view=addresses'
export const MOVING_URL = '/content?view=import'

/** Keeps the filter of the list in the URL, so that links can be shared, and Back and reload work. */
export function useContentUrl() {
  const [params, setParams] = useSearchParams()

  function set(name: keyof DocumentFilter, value: string, replace: boolean) {
    const next = new URLSearchParams(params)
    if (value) next.set(name, value)
    else next.delete(name)
    setParams(next, { replace })
  }

  return {
    /** What is shown in place of the documents. */
    view: params.get('view'),
    filter: readFilter(params),
    /** Each pause in typing replaces the history entry of the search. */
    search: (text: string) => set('q', text, params.has('q')),
    setFilter: (name: keyof DocumentFilter, value: string) => set(name, value, false),
    clear: () => setParams({}),
  }
}

function readFilter(params: URLSearchParams): DocumentFilter {
  const q = params.get('q')?.trim()
  const kind = kinds.find(each => each === params.get('kind'))
  const state = documentStates.find(each => each === params.get('state'))
  const editedBy = params.get('editedBy')?.trim()
  return { ...(q && { q }), ...(kind && { kind }), ...(state && { state }), ...(editedBy && { editedBy }) }
}
