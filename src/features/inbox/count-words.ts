const format = new Intl.NumberFormat('en-AU')
export const figure = (count: number) => format.format(count)
export const enquiryCount = (count: number) => `${figure(count)} ${count === 1 ? 'enquiry' : 'enquiries'}`
