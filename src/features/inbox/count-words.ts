export const figure = (count: number) => count.toLocaleString('en-AU')
export const messageCount = (count: number) => `${figure(count)} ${count === 1 ? 'message' : 'messages'}`
