import { z } from 'zod'
import type { AgentInsights } from '../contract/agent-insights.ts'
import { listSiteIds, type QuestionFilter } from '../store/answers/asked-questions.ts'
import { listFeedback } from '../store/answers/feedback.ts'
import type { CountedWindow } from '../store/counts/counters.ts'
import { listCounts } from '../store/counts/read-counters.ts'
import type { Store } from '../store/store.ts'
import { dayMs } from '../base/durations.ts'
import { agentCallerPrefix, agentFeedbackPrefix, agentVisitPrefix } from './agents-seen.ts'

const rowsMax = 50_000
const listedMax = 50
const feedbackMax = 20

/** Another release may have written another shape. */
const visitSchema = z.tuple([z.string(), z.string(), z.string(), z.literal([0, 1]), z.string()])

interface Visit {
  agentClass: string
  name: string
  form: string
  isMissed: boolean
  subject: string
  count: number
  day: number
}

/** Counts what agents read and missed on the sites of a filter, whose period is widened to whole days (UTC). */
export async function summarizeAgents(store: Store, filter: QuestionFilter): Promise<AgentInsights> {
  const subjects = await listSiteIds(store.durable, filter)
  const from = filter.from - (filter.from % dayMs)
  const read = (namePrefix: string) =>
    listCounts(store.relaxed, { namePrefix, subjects, from, to: filter.to, limit: rowsMax })
  const visits = (await read(agentVisitPrefix)).flatMap(readVisit)
  const callers = await read(agentCallerPrefix)
  const { items } = await listFeedback(store.durable, {
    organizationId: filter.organizationId,
    siteId: filter.siteId,
    fpPrefix: agentFeedbackPrefix,
    limit: feedbackMax,
    cursor: null,
  })
  const missed = visits.filter(({ isMissed, subject }) => isMissed && subject !== '')
  const isSearch = ({ form }: Visit) => form === 'search'
  const isPage = ({ isMissed, form, subject }: Visit) => !isMissed && subject !== '' && form !== 'feedback'
  return {
    visits: sum(visits),
    byAgent: group(visits, ({ agentClass, name }) => `${agentClass} ${name}`).map(([, of]) => ({
      class: of[0].agentClass,
      name: of[0].name,
      visits: sum(of),
      missed: sum(of.filter(({ isMissed }) => isMissed)),
    })),
    byForm: group(visits, ({ form }) => form).map(([form, of]) => ({ form, visits: sum(of) })),
    callersByClass: group(callers.map(readCaller), ({ agentClass }) => agentClass).map(([name, of]) => ({
      class: name,
      callersPerDay: sum(of),
    })),
    pages: group(visits.filter(isPage), ({ subject }) => subject).map(([path, of]) => ({ path, visits: sum(of) })),
    searchedInVain: listMissed(missed.filter(isSearch)),
    addressesInVain: listMissed(missed.filter((visit) => !isSearch(visit) && visit.form !== 'feedback')),
    feedback: items.map(({ id, siteId, path, messageId, isHelpful: helpful, note, createdAt }) => ({
      id,
      siteId,
      path,
      messageId,
      helpful,
      note,
      createdAt,
    })),
  }
}

function readVisit({ name, count, windowStart: day }: CountedWindow): Visit[] {
  const { data } = visitSchema.safeParse(JSON.parse(name.slice(agentVisitPrefix.length)))
  if (data === undefined) return []
  const [agentClass, agentName, form, missed, subject] = data
  return [{ agentClass, name: agentName, form, isMissed: missed === 1, subject, count, day }]
}

const readCaller = ({ name, count }: CountedWindow) => ({ agentClass: name.slice(agentCallerPrefix.length), count })

const sum = (of: readonly { count: number }[]) => of.reduce((total, { count }) => total + count, 0)

/** Most counted first. */
function group<Item extends { count: number }>(items: readonly Item[], keyOf: (item: Item) => string) {
  // A group has at least one item.
  const groups = Map.groupBy(items, keyOf) as Map<string, [Item, ...Item[]]>
  return [...groups].toSorted(([, one], [, other]) => sum(other) - sum(one)).slice(0, listedMax)
}

function listMissed(visits: readonly Visit[]) {
  return group(visits, ({ subject }) => subject).map(([text, of]) => ({
    text,
    count: sum(of),
    agents: [...new Set(of.map(({ name }) => name))].slice(0, 5),
    lastDayAt: Math.max(...of.map(({ day }) => day)),
  }))
}
