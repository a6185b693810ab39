import { callers, feedbackStates, verdicts } from './question-words.ts'

export const insightsViews = ['overview', 'questions', 'topics', 'gaps'] as const
export type InsightsView = (typeof insightsViews)[number]

/** Days of the periods that are offered. */
export const periods = [1, 7, 30, 90, 365] as const

const daysDefault = 30

/** What of the page its address remembers, so that it can be sent to others. What is as it begins is not in it. */
export interface InsightsSearch {
  view?: Exclude<InsightsView, 'overview'>
  days?: number
  /** The word of a site, on the page of the organization. */
  site?: string
  verdict?: (typeof verdicts)[number]
  feedback?: (typeof feedbackStates)[number]
  caller?: (typeof callers)[number]
  version?: string
  page?: string
  search?: string
  /** Where the page of questions begins. */
  cursor?: string
  /** The gap that is looked at. */
  gap?: string
}

/** Texts of an address are no longer than the service takes them. */
const textCharsMax = 1_000

/** Takes what an address holds; what it cannot be is left out, so that an address of another version still opens. */
export function readInsightsSearch(search: Record<string, unknown>): InsightsSearch {
  const days = Number(search['days'])
  const view = readWord(search['view'], insightsViews)
  return omitEmpty({
    view: view === 'overview' ? undefined : view,
    days: days !== daysDefault && periods.some((period) => period === days) ? days : undefined,
    verdict: readWord(search['verdict'], verdicts),
    feedback: readWord(search['feedback'], feedbackStates),
    caller: readWord(search['caller'], callers),
    ...readTexts(search),
  })
}

export function readDays({ days = daysDefault }: InsightsSearch): number {
  return days
}

function readTexts(search: Record<string, unknown>) {
  const read = (name: string) => {
    const value = search[name]
    // The router reads a text of digits as a number.
    if (typeof value !== 'string' && typeof value !== 'number') return undefined
    return String(value).slice(0, textCharsMax) || undefined
  }
  return {
    site: read('site'),
    version: read('version'),
    page: read('page'),
    search: read('search'),
    cursor: read('cursor'),
    gap: read('gap'),
  }
}

function readWord<Word extends string>(value: unknown, words: readonly Word[]): Word | undefined {
  return words.find((word) => word === value)
}

/** The same without what is not given. */
export function omitEmpty<Value extends object>(value: Value): { [Name in keyof Value]?: NonNullable<Value[Name]> } {
  const given = Object.entries(value).filter(([, each]) => each !== undefined && each !== null && each !== '')
  return Object.fromEntries(given) as { [Name in keyof Value]?: NonNullable<Value[Name]> } // What is left is given.
}
