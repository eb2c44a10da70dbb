import { type NavigateOptions, useNavigate, useSearchParams } from 'react-router'
import { usePressGuard } from '../../../ui/form/press-guard.ts'
import type { Message } from '../contract.ts'
import { type MessageFilter, readFilter } from '../messages/filter-contract.ts'
import { viewOf, withDefaultView } from './view-links.tsx'

/** The address as it is now, and what its entry in the history says: a navigation is drawn only later. */
function readAddress(): { params: URLSearchParams; state: unknown } {
  return { params: new URLSearchParams(location.search), state: history.state?.usr }
}

function withParam(name: string, value: string, from = readAddress().params) {
  const next = new URLSearchParams(from)
  if (value) next.set(name, value)
  else next.delete(name)
  return next
}

/** Keeps the filter and the open message in the URL, so that links can be shared, and Back and reload work. */
export function useInboxUrl() {
  const [params, setParams] = useSearchParams()
  const navigate = useNavigate()
  // A double click must not go back twice: until navigation is done, the page still shows the old state.
  const once = usePressGuard()

  function setParam(name: string, value: string, options: NavigateOptions = {}) {
    setParams(withParam(name, value), options)
  }

  /** Each key replaces the history entry of the search, so that Back leads to the list before it. */
  function search(text: string) {
    const { params, state } = readAddress()
    const isSearching = params.has('q')
    if (!text && state === SEARCHED_HERE) return navigate(-1)
    // Closing a message must not go back to the search before this one.
    const kept = state === OPENED_HERE ? undefined : state
    if (text || isSearching)
      setParam('q', text, isSearching ? { replace: true, state: kept } : { state: SEARCHED_HERE })
  }

  async function close() {
    if (readAddress().state === OPENED_HERE) navigate(-1)
    else setParam('message', '', { replace: true })
  }

  /** Opens another message in place of the open one, so that Back closes it. */
  const openInstead = (id: string) => setParam('message', id, { replace: true, state: readAddress().state })

  return {
    filter: readFilter(withDefaultView(params)),
    view: viewOf(params),
    openId: params.get('message'),
    // A filter narrows the view that is shown; a search from the first one looks through all enquiries.
    setFilter: (name: keyof MessageFilter, value: string) =>
      setParams(withParam(name, value, withDefaultView(readAddress().params))),
    search: (text: string) => once(async () => search(text), `search ${text}`),
    showAll: () => setParams({ status: 'all' }),
    hrefOf: ({ id }: Message) => `?${withParam('message', id, params)}`,
    /** Drawn at once, not when the browser has time. */
    open: ({ id }: Message) =>
      once(async () => {
        const { params, state } = readAddress()
        const replace = params.has('message')
        setParam('message', id, { replace, state: replace ? state : OPENED_HERE, flushSync: true })
      }, `open ${id}`),
    openInstead,
    close: () => once(close, 'close'),
  }
}

/** History state of a search that started from the list: Back leads to the list without it. */
const SEARCHED_HERE = 'searched from the list'

/** History state of a message that was opened from the list: Back closes it. After a link, Back would leave the inbox. */
const OPENED_HERE = 'opened from the list'
