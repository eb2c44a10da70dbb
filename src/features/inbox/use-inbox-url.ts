import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { usePressGuard } from '../../ui/press-guard.ts'
import { type Message, type MessageFilter, messageTypes, verifications } from './contract.ts'

const readStates = ['true', 'false'] as const

/** Filter and open message as the address bar has them, so that links can be shared, and Back and reload work. */
export function useInboxUrl() {
  const [params, setParams] = useSearchParams()
  const { state } = useLocation()
  const navigate = useNavigate()
  // A step of the history is taken once too: until it is done, the page still shows what is to be left.
  const once = usePressGuard()

  function changed(name: string, value: string) {
    const next = new URLSearchParams(params)
    if (value) next.set(name, value)
    else next.delete(name)
    return next
  }

  function change(name: string, value: string, options: { replace?: boolean; state?: unknown } = {}) {
    setParams(changed(name, value), options)
  }

  /** Back leads to what was there before the search, not through it letter by letter. */
  function search(text: string) {
    const isBegun = params.has('q')
    if (!text && state === SEARCHED_HERE) return navigate(-1)
    if (text || isBegun) change('q', text, isBegun ? { replace: true, state } : { state: SEARCHED_HERE })
  }

  async function close() {
    if (state === OPENED_HERE) navigate(-1)
    else change('message', '', { replace: true })
  }

  return {
    filter: readFilter(params),
    openId: params.get('message'),
    setFilter: (name: keyof MessageFilter, value: string) => change(name, value),
    search: (text: string) => once(async () => search(text), `search ${text}`),
    clearFilter: () => setParams({}),
    /** The address of a message, for whoever opens it beside this. */
    of: ({ id }: Message) => `?${changed('message', id)}`,
    open: ({ id }: Message) => once(async () => change('message', id, { state: OPENED_HERE }), `open ${id}`),
    /** The next message takes the place of the one that is open: Back closes whichever it is. */
    openInstead: (id: string) => change('message', id, { replace: true, state }),
    close: () => once(close, 'close'),
  }
}

/** Behind a search that was begun here stands the list as it was before. */
const SEARCHED_HERE = 'searched from the list'

/** Behind a message that was opened from the list stands the list; behind one that a link opened, something else. */
const OPENED_HERE = 'opened from the list'

function readFilter(params: URLSearchParams): MessageFilter {
  const q = params.get('q')?.trim()
  const formType = messageTypes.find(type => type === params.get('formType'))
  const isRead = readStates.find(value => value === params.get('isRead'))
  const verification = verifications.find(value => value === params.get('verification'))
  return {
    ...(q && { q }),
    ...(formType && { formType }),
    ...(isRead && { isRead }),
    ...(verification && { verification }),
    ...(params.get('letter') === 'failed' && { letter: 'failed' as const }),
  }
}
