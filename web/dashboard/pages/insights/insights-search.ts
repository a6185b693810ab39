import { oneOf, readSearch, type SearchOf, text, time } from '../../shell/read-search.ts'
import { listSections } from '../../shell/page-sections.ts'
import { gapStates } from './gap-words.ts'
import { askers, callers, feedbackStates, verdicts } from './question-words.ts'
import { say } from '../../../words/say.ts'

export const insightsViews = ['overview', 'questions', 'topics', 'agents', 'gaps'] as const
export const insightsSections = listSections(insightsViews, {
  overview: { title: say('Overview'), words: '' },
  questions: {
    title: say('Questions'),
    words: say(
      'what do people readers ask asked list today yesterday week month export download csv json popular frequent most top recent latest search find searched',
    ),
  },
  topics: {
    title: say('Topics'),
    words: say(
      'what do people readers ask about common themes popular frequent most top trending categories subjects talk interested interests confused confusion',
    ),
  },
  agents: {
    title: say('Agents'),
    words: say(
      'bots ai crawlers mcp llms chatgpt cursor copilot robots traffic machines claude gpt visits usage read often questions by crawler crawl',
    ),
  },
  gaps: {
    title: say('Gaps'),
    words: say(
      'unanswered questions missing content not answered documentation holes without answers lacking improve undocumented docs fail failed failing cannot write next should document need what',
    ),
  },
})
export type InsightsView = (typeof insightsViews)[number]

/** Offered periods, in days. */
export const periods = [1, 7, 30, 90, 365] as const

const daysDefault = 30

/** Longest text accepted by the service. */
const textCharsMax = 1_000

const readers = {
  view: oneOf(insightsViews.filter((view) => view !== 'overview')),
  days: oneOf<number>(periods.filter((days) => days !== daysDefault)),
  /** Start of the day or hour that was chosen in a chart. */
  at: time(),
  verdict: oneOf(verdicts),
  feedback: oneOf(feedbackStates),
  caller: oneOf(callers),
  askedBy: oneOf(askers),
  keyId: text(textCharsMax),
  language: text(textCharsMax),
  /** Address segment of a site, on the organization's page. */
  site: text(textCharsMax),
  version: text(textCharsMax),
  page: text(textCharsMax),
  search: text(textCharsMax),
  /** Cursor of the questions page. */
  cursor: text(textCharsMax),
  /** State of the gaps. */
  state: oneOf(Object.keys(gapStates) as (keyof typeof gapStates)[]), // Its own keys.
  /** Id of the open gap. */
  gap: text(textCharsMax),
}

/** Search parameters, so that the view can be shared. Defaults are omitted. */
export type InsightsSearch = SearchOf<typeof readers>

export function readInsightsSearch(search: Record<string, unknown>): InsightsSearch {
  return readSearch(search, readers)
}

export function describePeriod(days: number): string {
  return days === 1 ? say('Last 24 hours') : say('Last {days} days', { days })
}

export function readDays({ days = daysDefault }: InsightsSearch): number {
  return days
}

/** Omits empty values. */
export function omitEmpty<Value extends object>(value: Value): { [Name in keyof Value]?: NonNullable<Value[Name]> } {
  const given = Object.entries(value).filter(([, each]) => each !== undefined && each !== null && each !== '')
  return Object.fromEntries(given) as { [Name in keyof Value]?: NonNullable<Value[Name]> } // The filter left only given values.
}
