/**
 * Every text that sections 2, 5, 8 and 9 of the specification want staff to read and calls to return, character for character,
 * by where it is met. `{…}` stands for what differs from time to time. What visitors read is in `public-texts.ts`.
 *
 * An end-to-end test checks a text of a screen with `expectTexts`; a text of an API reply is checked
 * by `tests/rules/specified-texts.test.ts`, which also sees that no text of this table is left out.
 */
export const screenTexts = {
  'the header': [
    ...['Home', 'About Us', 'Contact', 'Login', 'Profile', 'Logout'],
    ...['Dashboard', 'Users', 'Messages', 'Settings', 'System Logs', 'API Tokens'],
    // Section 8
    ...['Logout Successful', 'You have been logged out.', 'Logout Failed', 'Logout failed'],
  ],
  '/auth': [
    'Login',
    // Section 5
    'Please enter a valid email address',
    'Please complete the reCAPTCHA verification',
    'Verification code must be 6 digits',
    // Section 8
    ...['Login Failed', 'Login failed'],
    ...['Verification Failed', 'Verification failed'],
    ...['Failed to Resend Code', 'Failed to resend code'],
    'Network error while submitting your request. Please try again.',
    ...['Verification Required', 'Please enter the verification code sent to your email.'],
    ...['Login Successful', 'Verification Successful', 'Welcome back, {name}!'],
    ...['Code Sent', 'A new verification code has been sent to your email.'],
  ],
  '/verify-email': [
    // Section 8
    'Invalid verification token',
    'Failed to verify your email address',
    'An error occurred while verifying your email address',
    'Your email has been verified successfully!',
  ],
  '/dashboard': [
    ...['Profile', 'Edit Profile', 'User Management', 'Quick Actions'],
    ...['Visit Website', 'Website Settings', 'Contact Requests', 'View Applications'],
    // Section 5
    ...['Admin', 'Editor', 'Viewer'],
  ],
  '/users': [
    ...['Name', 'Email', 'Role', 'Actions', 'No users found'],
    'Are you sure you want to delete {name}? This action cannot be undone.',
    // Section 5
    'Please enter a valid email address',
    'Name must be at least 3 characters',
    'Password must be at least 8 characters',
    'Password must contain at least one lowercase letter',
    'Password must contain at least one uppercase letter',
    'Password must contain at least one number',
    'Password must contain at least one special character',
    ...['Admin', 'Editor', 'Viewer'],
    // Section 8
    ...['Error', 'Failed to fetch users', 'Failed to create user'],
    ...['Failed to update user', 'Failed to delete user'],
    ...['User Created', 'User Updated', 'User Deleted', 'No Changes'],
  ],
  '/messages': [
    ...['Date', 'Name', 'Email', 'Type', 'Status', 'Actions', 'Read', 'Unread', '{date and time}'],
    'No messages found',
    ...['Message from {name}', 'Received {date and time} via {type}'],
    'Are you sure you want to delete this message from {name}? This action cannot be undone.',
    ...['Contact Form', 'Tracking Form', 'Visa Assessment', 'Authentication'],
    // Section 8
    'Failed to fetch messages',
    ...['Error', 'Failed to mark message as read'],
    ...['Error Forwarding Message', 'Failed to forward message'],
    ...['Error Deleting Message', 'Failed to delete message'],
    'Failed to connect to the server. Please try again.',
    'Message Forwarded',
    'The message has been successfully sent to the configured email address.',
    ...['Message Deleted', 'The message has been deleted successfully.'],
  ],
  '/settings': [
    ...['General Settings', 'Email Settings', 'reCAPTCHA Settings', 'Email Integration'],
    // Section 5
    'Please enter a valid email address',
    'Site name must be at least 3 characters',
    'Contact phone must be at least 5 characters',
    ...['Site key is required', 'Secret key is required'],
    // Section 8
    ...['Failed to fetch settings', 'Failed to update setting'],
    'There was a problem saving your reCAPTCHA settings. Please try again.',
    ...['Settings Updated', 'reCAPTCHA Settings Updated'],
    'Network error while submitting your request. Please try again.',
  ],
  '/api-tokens': [
    ...['Access Denied', "You don't have permission to access this page."],
    ...['Manage Tokens', 'API Documentation', 'No description'],
    'Are you sure you want to revoke this API token? This action cannot be undone and any applications using this token will lose access.',
    ...['Create Token', 'Description', 'Token Type', 'Expiration'],
    ...['Token copied to clipboard', 'Make sure to store it securely.'],
    ...['No API Tokens', 'Create Your First Token'],
    // Section 8
    ...['Failed to fetch tokens', 'Error loading tokens: {reason}'],
    ...['Failed to create token', 'Failed to revoke token'],
    'Token created successfully',
    "Your new API token has been created. Make sure to copy it now as it won't be shown again.",
    ...['Token revoked', 'The API token has been successfully revoked.'],
    // Section 9, and a badge for what was made before there were types
    ...['API Access', 'Mobile App', 'Web App', 'External Integration', 'Legacy'],
    ...['7 days', '30 days', '90 days', '1 year', '2 years'],
    ...['Never', 'Just now', '{count} minutes ago', '{count} hours ago', '{count} days ago', '{date}'],
  ],
  '/logs': [
    ...['Refresh', 'Delete Old Logs', 'Log Level', 'Log Source'],
    ...['Level', 'Source', 'Message', 'Date', 'View Details', '{date and time with seconds}'],
    ...['IP Address', 'User ID', 'User Agent'],
    'Failed to load logs. Please try again.',
    'No logs found matching the current filters.',
    // Section 8
    ...['Failed to delete logs', 'Failed to fetch logs'],
    ...['Logs Deleted', 'Successfully deleted {count} old logs.'],
    // Section 9
    ...['Debug', 'Info', 'Warning', 'Error', 'Critical'],
    ...['FormService', 'EmailService', 'API', 'Auth'],
  ],
  'any other address': ['404 Page Not Found', 'Did you forget to add the page to the router?'],
} as const

const newUser = [
  'Please enter a valid email address',
  'Name must be at least 3 characters',
  'Password must be at least 8 characters',
  'Password must contain at least one lowercase letter',
  'Password must contain at least one uppercase letter',
  'Password must contain at least one number',
  'Password must contain at least one special character',
] as const
const enquiry = [
  'Name must be at least 2 characters',
  'Please enter a valid email address',
  'Please enter a valid phone number',
  'Message must be at least 10 characters',
  'Please complete the reCAPTCHA verification',
  'Thank you for your interest. We will contact you shortly.',
] as const

/** What visitors read, from sections 1, 2, 5 and 8: the catalogue of texts has each of them. */
export const visitorTexts = [
  ...['Home', 'About Us', 'Contact', 'Login'],
  ...['Visa categories', 'Your agent', 'Services', 'About us', 'Why this office exists'],
  ...['Contact us', 'Where we are', 'Show the map', 'Code of conduct', 'Quick links'],
  ...['Get In Touch', 'General enquiry', 'Visa assessment', 'Track my application', 'Send enquiry'],
  ...['Family Migration', 'Skilled Migration', 'Business Visa', 'Investor Stream', 'Other Visa Types'],
  ...screenTexts['any other address'],
  ...enquiry,
  // Section 8, and the button while it sends
  ...['Submitting...', 'Request Submitted', 'Submission Failed'],
  'There was an error submitting your request. Please try again.',
  'Network error when submitting your request. Please check your connection and try again.',
] as const

/** The same of what calls answer. */
export const answerTexts = {
  'POST /api/auth/login': [
    'Please enter a valid email address',
    'Please complete the reCAPTCHA verification',
    'Login failed',
  ],
  'POST /api/auth/verify-2fa': ['Verification code must be 6 digits', 'Verification failed'],
  'POST /api/auth/resend-2fa': ['Failed to resend code'],
  'GET /api/auth/verify-email': ['Invalid verification token', 'Your email has been verified successfully!'],
  'POST /api/users': newUser,
  'PATCH /api/users/:id': newUser,
  'PUT /api/settings/:key': [
    'Please enter a valid email address',
    'Site name must be at least 3 characters',
    'Contact phone must be at least 5 characters',
    ...['Site key is required', 'Secret key is required'],
    // Section 9; the field of the screen shows the same
    '********{last four}',
  ],
  'POST /api/messages/:id/forward': ['Failed to forward message'],
  'POST /api/contact': enquiry,
  'POST /api/visa-assessment': enquiry,
  'POST /api/track-application': enquiry,
} as const

/*
 * Two texts of those sections are left out, since nobody sees them. 'Failed to fetch user': a person whom the portal cannot look
 * up is redirected to the sign-in as if signed out; `src/ui/me.test.ts` holds it. That what is left of a toast is removed
 * after 1000000 ms: a toast that was dismissed is gone from sight at once.
 */
