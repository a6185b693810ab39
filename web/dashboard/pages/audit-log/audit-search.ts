/** What the address of the page remembers. */
export interface AuditSearch {
  action?: string | undefined
  /** Id of a member or a key. */
  actor?: string | undefined
  /** Days of UTC, such as `2026-03-01`, both included. */
  from?: string | undefined
  to?: string | undefined
  cursor?: string | undefined
}

const dayMs = 86_400_000

/** The filter as the service takes it. */
export function toAuditQuery({ action, actor, from, to }: Omit<AuditSearch, 'cursor'>) {
  return {
    action,
    actorId: actor,
    since: from === undefined ? undefined : toTime(from, 0),
    until: to === undefined ? undefined : toTime(to, dayMs),
  }
}

function toTime(day: string, laterMs: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + laterMs).toISOString()
}

const textCharsMax = 200

/** Takes what an address holds, and leaves out what cannot be. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const read = (name: string, pattern = /^[\w-]+$/) => {
    const value = search[name]
    return typeof value === 'string' && value.length <= textCharsMax && pattern.test(value) ? { [name]: value } : {}
  }
  return {
    ...read('action'),
    ...read('actor'),
    ...readDay(search, 'from'),
    ...readDay(search, 'to'),
    ...read('cursor'),
  }
}

function readDay(search: Record<string, unknown>, name: 'from' | 'to') {
  const day = search[name]
  const isDay = typeof day === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day))
  return isDay ? { [name]: day } : {}
}
