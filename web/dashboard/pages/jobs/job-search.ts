import type { AgentJobStatus } from '../../../../src/contract/agent-job.ts'

/** What narrows a list of jobs. It stands in the address, so that the list can be gone back to and passed on. */
export interface JobSearch {
  status?: AgentJobStatus
  site?: string
  search?: string
  /** Days back from today. */
  days?: (typeof periods)[number]
}

const statuses: readonly AgentJobStatus[] = ['active', 'completed', 'failed']
export const periods = [1, 7, 30, 90] as const

const dayMs = 86_400_000
const textCharsMax = 200

/** Takes what can be meant out of the query of an address. */
export function readJobSearch(query: Record<string, unknown>): JobSearch {
  const status = statuses.find((status) => status === query['status'])
  const days = periods.find((days) => days === Number(query['days']))
  const text = (name: string) => {
    const value = query[name]
    // The router reads figures in an address as numbers.
    const isText = typeof value === 'string' || typeof value === 'number'
    return isText ? String(value).trim().slice(0, textCharsMax) : ''
  }
  const [site, search] = [text('site'), text('search')]
  return {
    ...(status !== undefined && { status }),
    ...(site !== '' && { site }),
    ...(search !== '' && { search }),
    ...(days !== undefined && { days }),
  }
}

/** The beginning of a UTC day, so that the list is the same one until midnight. @param days 1 is today. */
export function startOfPeriod(days: number, now: number): string {
  return new Date(Math.floor(now / dayMs) * dayMs - (days - 1) * dayMs).toISOString()
}
