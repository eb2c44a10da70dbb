import type { ScreenPath } from '../screens.ts'

/** Lines of each icon in a square of 24 units. */
const icons: Readonly<Record<ScreenPath, string>> = {
  '/dashboard': 'M4 11 12 4l8 7v9h-5v-6H9v6H4z',
  '/users':
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c0-4 3-6 6.5-6s6.5 2 6.5 6M16 4.5a3.5 3.5 0 0 1 0 6M18 14.5c2.2.8 3.5 2.7 3.5 5.5',
  '/messages': 'M4 13 6 5h12l2 8v6H4zM4 13h5l1 2.5h4l1-2.5h5',
  '/content': 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  '/content/:id': '',
  '/settings':
    'M12 15.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM12 3v2.5M12 18.5V21M3 12h2.5M18.5 12H21M5.6 5.6l1.8 1.8M16.6 16.6l1.8 1.8M5.6 18.4l1.8-1.8M16.6 7.4l1.8-1.8',
  '/logs': 'M4 6h16M4 12h16M4 18h10',
  '/api-tokens': 'M8 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 12h9v4M17 12v3',
}

export function RailIcon({ path }: { path: ScreenPath }) {
  return (
    <svg className="rail-icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={icons[path]} />
    </svg>
  )
}
