import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { type Message, type MessageFilter, messageTypes, verifications } from './contract.ts'

const readStates = ['true', 'false'] as const

/** Filter and open message as the address bar has them, so that links can be shared, and Back and reload work. */
export function useAddress() {
  const [params, setParams] = useSearchParams()
  const { state } = useLocation()
  const navigate = useNavigate()

  function changed(name: string, value: string) {
    const next = new URLSearchParams(params)
    if (value) next.set(name, value)
    else next.delete(name)
    return next
  }

  function change(name: string, value: string, options: { replace?: boolean; state?: unknown } = {}) {
    setParams(changed(name, value), options)
  }

  return {
    filter: readFilter(params),
    openId: params.get('message'),
    setFilter: (name: keyof MessageFilter, value: string) => change(name, value),
    /** While somebody types, Back is to leave the search, not to undo it letter by letter. */
    search: (text: string) => change('q', text, { replace: true }),
    clearFilter: () => setParams({}),
    /** The address of a message, for whoever opens it beside this. */
    of: ({ id }: Message) => `?${changed('message', id)}`,
    open: ({ id }: Message) => change('message', id, { state: OPENED_HERE }),
    /** The next message takes the place of the one that is open: Back closes whichever it is. */
    openInstead: (id: string) => change('message', id, { replace: true, state }),
    close: () => (state === OPENED_HERE ? navigate(-1) : change('message', '', { replace: true })),
  }
}

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
