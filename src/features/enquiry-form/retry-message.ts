/** Adds when a refused enquiry can be sent again. @param seconds as the server says; it need not. */
export function retryMessage(message: string, seconds: number | undefined): string {
  if (!message || !seconds) return message
  const minutes = Math.ceil(seconds / 60)
  return `${message} You can send it again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`
}
