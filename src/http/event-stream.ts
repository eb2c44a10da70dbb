/** Bytes that wait for a client beside what the system holds. One that reads nothing for so long is dropped. */
const MAX_QUEUED = 64 * 1024

export type EventStream = ReturnType<typeof createEventStream>

/** A reply that goes on until either side ends it: `text/event-stream` as HTML describes it. @param onEnd is called once */
export function createEventStream(onEnd: () => void) {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let isOpen = true

  function end() {
    if (!isOpen) return
    isOpen = false
    onEnd()
    controller?.close()
  }

  function cancel() {
    controller = undefined
    end()
  }

  const source = {
    start(started: ReadableStreamDefaultController<Uint8Array>) {
      controller = started
    },
    cancel,
  }
  return {
    body: new ReadableStream(source, new ByteLengthQueuingStrategy({ highWaterMark: MAX_QUEUED })),
    /** Drops the client when it reads more slowly than is sent. */
    send(chunk: Uint8Array): void {
      if (!isOpen || !controller) return
      if ((controller.desiredSize ?? 0) > 0) return void controller.enqueue(chunk)
      end()
      this.onDrop()
    },
    end,
    /** Closes the connection of a client that is dropped. */
    onDrop: () => {},
  }
}
