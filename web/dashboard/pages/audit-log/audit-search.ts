import type { AuditFilter } from '../../api/audit-log.ts'

/** What the address of the page remembers. */
export interface AuditSearch extends AuditFilter {
  cursor?: string | undefined
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
