/** Adds to a message when the enquiry can be sent again. @param seconds from `Retry-After`, if the server sent it */
export function retryMessage(message: string, seconds: number | undefined): string {
  if (!message || !seconds) return message
  const minutes = Math.ceil(seconds / 60)
  return `${message} You can send it again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`
}
