import { useQuery } from '@tanstack/react-query'
import { memo, useEffect, useState } from 'react'
import type { Dashboard } from '../features/dashboard/contract.ts'
import { dashboardQuery } from '../features/dashboard/queries.ts'

/** Milliseconds. The clock has no seconds. */
const TICK = 10_000

/** The time at the office, and whether it is open: staff work elsewhere, too. */
export const OfficeClock = memo(function OfficeClock() {
  const { data } = useQuery(dashboardQuery)
  const now = useNow()
  if (!data) return null
  const { timeZone } = data.office
  const city = timeZone.split('/').at(-1)?.replaceAll('_', ' ') ?? timeZone
  return (
    <p className="office-clock">
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <circle cx="10" cy="10" r="8" />
        <path d="M10 5v5l3 2" />
      </svg>
      <span>
        {city} {timeIn(now, timeZone)}
      </span>
      <span>{describeOffice(data.office, now)}</span>
    </p>
  )
})

function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), TICK)
    return () => clearInterval(timer)
  }, [])
  return now
}

function describeOffice({ timeZone, openUntil, opensAt }: Dashboard['office'], now: Date): string {
  const [closes, opens] = [openUntil, opensAt].map(time => (time ? new Date(time) : null))
  if (closes && now < closes) return `Office open until ${shortTime(closes, timeZone)}`
  if (!opens) return 'Office closed'
  if (now >= opens) return 'Office open'
  const day = opens.toLocaleDateString('en-US', { timeZone, weekday: 'short' })
  return `Office opens ${day} ${shortTime(opens, timeZone)}`
}

const timeIn = (time: Date, timeZone: string) =>
  time.toLocaleTimeString('en-US', { timeZone, timeStyle: 'short' })

/** "6 PM", "12:30 PM" */
const shortTime = (time: Date, timeZone: string) => timeIn(time, timeZone).replace(':00', '')
