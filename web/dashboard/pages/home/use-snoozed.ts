import { useState } from 'react'
import { dayMs } from '../../../ui/durations.ts'

/** Long enough to have settled something else first, and short enough to be reminded. */
const snoozeMs = dayMs

const storageName = 'docent-snoozed'

/** The needs snoozed until tomorrow in this browser, by id. */
export function useSnoozed() {
  const [until, setUntil] = useState(readSnoozed)
  const change = (next: ReadonlyMap<string, number>) => {
    setUntil(next)
    try {
      localStorage.setItem(storageName, JSON.stringify([...next]))
    } catch {
      // The choice then lasts as long as the page.
    }
  }
  return {
    isSnoozed: (id: string) => (until.get(id) ?? 0) > Date.now(),
    snooze: (id: string) => change(new Map([...readSnoozed(), [id, Date.now() + snoozeMs]])),
    /** All of them without an id. */
    wake: (id?: string) => change(new Map([...readSnoozed()].filter(([each]) => id !== undefined && each !== id))),
  }
}

/** Expired entries are removed. Browsers may forbid storage, and what it contains may be damaged. */
function readSnoozed(): ReadonlyMap<string, number> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageName) ?? '[]')
    return new Map((Array.isArray(stored) ? stored : []).filter(isEntry).filter(([, until]) => until > Date.now()))
  } catch {
    return new Map()
  }
}

function isEntry(entry: unknown): entry is [string, number] {
  return Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'number'
}
