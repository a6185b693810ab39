import { oneOf, readSearch, type SearchOf, text } from '../../shell/read-search.ts'
import { callers, feedbackStates, verdicts } from './question-words.ts'

export const insightsViews = ['overview', 'questions', 'topics', 'gaps'] as const
export type InsightsView = (typeof insightsViews)[number]

/** Days of the periods that are offered. */
export const periods = [1, 7, 30, 90, 365] as const

const daysDefault = 30

/** Texts of an address are no longer than the service takes them. */
const textCharsMax = 1_000

const readers = {
  view: oneOf(insightsViews.filter((view) => view !== 'overview')),
  days: oneOf<number>(periods.filter((days) => days !== daysDefault)),
  verdict: oneOf(verdicts),
  feedback: oneOf(feedbackStates),
  caller: oneOf(callers),
  /** The word of a site, on the page of the organization. */
  site: text(textCharsMax),
  version: text(textCharsMax),
  page: text(textCharsMax),
  search: text(textCharsMax),
  /** Where the page of questions begins. */
  cursor: text(textCharsMax),
  /** The gap that is looked at. */
  gap: text(textCharsMax),
}

/** What the address remembers, so that the page can be sent to others. Defaults are not in it. */
export type InsightsSearch = SearchOf<typeof readers>

export function readInsightsSearch(search: Record<string, unknown>): InsightsSearch {
  return readSearch(search, readers)
}

export function readDays({ days = daysDefault }: InsightsSearch): number {
  return days
}

/** The same without what is not given. */
export function omitEmpty<Value extends object>(value: Value): { [Name in keyof Value]?: NonNullable<Value[Name]> } {
  const given = Object.entries(value).filter(([, each]) => each !== undefined && each !== null && each !== '')
  return Object.fromEntries(given) as { [Name in keyof Value]?: NonNullable<Value[Name]> } // What is left is given.
}
