import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { meQuery, useMayCall } from '../../../ui/me-query.ts'
import { type Message, messages } from '../contract.ts'
import { useChange } from '../toolbar/use-change.ts'

/** What the actions of a row do to answer its message, and the reply that one of them has asked for. */
export function useRowAnswers(open: (message: Message) => void) {
  const mayChange = useMayCall()(messages.change)
  const myId = useQuery(meQuery).data?.id
  const change = useChange()
  const [id, setId] = useState<string | null>(null)
  const onReply = (message: Message) => {
    setId(message.id)
    open(message)
  }
  return {
    replyTo: { id, onBegun: () => setId(null) },
    myId,
    onReply: mayChange ? onReply : undefined,
    onChange: mayChange ? change.mutate : undefined,
  }
}
