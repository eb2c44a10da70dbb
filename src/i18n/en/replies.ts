/**
 * What the API replies to an enquiry. It replies in English to everyone; pages in another language show their own text
 * instead, which `translateReplies` finds.
 */
export const replies = {
  received: 'Thank you for your interest. We will contact you shortly.',
  name: 'Name must be at least 2 characters',
  nameTooLong: 'Name must be at most 100 characters',
  nameLines: 'Name must be on one line',
  email: 'Please enter a valid email address',
  phone: 'Please enter a valid phone number',
  phoneTooLong: 'Phone must be at most 32 characters',
  phoneLines: 'Phone must be on one line',
  service: 'Please choose one of the services',
  message: 'Message must be at least 10 characters',
  messageTooLong: 'Message must be at most 10,000 characters',
  details: 'Details must be short texts, each with a short name',
  detailTooLong: 'An answer must be at most 200 characters',
  detailLines: 'An answer must be on one line',
  tooManyDetails: 'At most 20 details can be sent',
  recaptchaToken: 'Please complete the reCAPTCHA verification',
  tooLarge: 'The request is too large',
  tooMany: 'Too many requests. Please wait a little and try again.',
  unavailable: 'This is not possible right now. Please try again in a moment.',
  failed: 'Something went wrong on our side. Please try again.',
}
