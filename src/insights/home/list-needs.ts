import { type Need, type NeedKind, needKinds } from '../../contract/home.ts'
import type { Message } from '../../contract/message.ts'
import { type MessageCode, messageOf, verbatim, writeMessages } from '../../contract/message-texts.ts'
import type { HealthPart } from '../../contract/service-health.ts'
import type { LimitUsage } from '../../contract/usage.ts'
import { listAskedQuestions, tallySites } from '../../store/answers/asked-questions.ts'
import {
  countOpenDiscrepancies,
  listEndedJobs,
  listUnsentDigests,
  listWaitingPullRequests,
  listWaitingSites,
} from '../../store/facts/need-facts.ts'
import type { Site } from '../../store/sites/sites.ts'
import type { Store } from '../../store/store.ts'
import { refusalVerdicts } from '../../contract/verdicts.ts'
import { weekMs } from '../../base/durations.ts'

/** What counts as a use of a key in its current window. */
export interface KeyUse {
  id: string
  name: string
  siteId: string | null
  used: number
  max: number
}

export interface NeedsInput {
  store: Store
  organizationId: string
  /** UTC milliseconds. */
  now: number
  baseUrl: string
  sites: readonly Pick<Site, 'id' | 'slug' | 'source'>[]
  health: readonly HealthPart[]
  limits: readonly LimitUsage[]
  /** Keys that are not revoked. */
  keys: readonly KeyUse[]
}

const needsMax = 100
/** Share of a limit from which Home warns. */
const nearShare = 0.8
/** Fewer questions without an answer are everyday. */
const unansweredMin = 3

/** A need before its sentences are written, without what most of them lack. */
interface FoundNeed extends Pick<Need, 'kind' | 'tone'>, Partial<Pick<Need, 'id' | 'siteId' | 'subjectId' | 'url'>> {
  title: Message
  details: readonly Message[]
  since?: number
}

type NeedSource = (input: NeedsInput) => Promise<FoundNeed[]> | FoundNeed[]

const sources: readonly NeedSource[] = [
  findFaults,
  findWaitingSites,
  findLimits,
  findDigests,
  findJobs,
  findPullRequests,
  findDiscrepancies,
  findUnanswered,
]

/** What needs attention, worst first. */
export async function listNeeds(input: NeedsInput): Promise<Need[]> {
  const found = (await Promise.all(sources.map(async (source) => source(input)))).flat()
  const tones = ['failed', 'warning', 'notice']
  const rank = ({ tone, kind }: FoundNeed) => tones.indexOf(tone) * needKinds.length + needKinds.indexOf(kind)
  return found
    .toSorted((one, other) => rank(one) - rank(other) || (other.since ?? 0) - (one.since ?? 0))
    .slice(0, needsMax)
    .map(({ id, siteId = null, subjectId = null, url = null, since, title, details, ...need }) => ({
      ...need,
      title: writeMessages([title]),
      titleMessage: title,
      detail: writeMessages(details),
      detailMessages: [...details],
      id: [need.kind, id ?? subjectId ?? url ?? siteId ?? ''].join(':'),
      siteId,
      subjectId,
      url,
      since: since === undefined ? null : new Date(since).toISOString(),
    }))
}

const kindsOfParts: Partial<Record<HealthPart['name'], NeedKind>> = {
  model: 'model',
  index: 'sync',
}

/** Hosts that do not answer show in the syncs that failed. */
const titlesOfParts: Record<Exclude<HealthPart['name'], 'code-hosts'>, MessageCode> = {
  database: 'need-database',
  disk: 'need-disk',
  model: 'need-model',
  embedding: 'need-embedding',
  index: 'need-index',
  secrets: 'need-secrets',
  queue: 'need-queue',
}

function findFaults({ health, sites }: NeedsInput): FoundNeed[] {
  const siteIds = new Map(sites.map(({ id, slug }) => [slug, id]))
  return health.flatMap(({ name, subject, state, messages }): FoundNeed[] => {
    if ((state !== 'failed' && state !== 'warning') || name === 'code-hosts') return []
    const [first] = messages
    // The first sync is still to come.
    if (first?.code === 'index-none') return []
    const title = name === 'index' && first?.code === 'verbatim' ? 'need-index-fault' : titlesOfParts[name]
    const siteId = subject === null ? null : (siteIds.get(subject) ?? null)
    const kind = kindsOfParts[name] ?? 'service'
    return [{ id: siteId ?? name, kind, tone: state, title: messageOf(title), details: messages, siteId }]
  })
}

async function findWaitingSites({ store, organizationId }: NeedsInput): Promise<FoundNeed[]> {
  const waiting = await listWaitingSites(store.durable, organizationId)
  const texts = { title: messageOf('need-confirmation'), details: [messageOf('need-confirmation-why')] }
  return waiting.map((site) => ({ ...site, ...texts, kind: 'confirmation', tone: 'warning' }))
}

function findLimits({ limits, keys }: NeedsInput): FoundNeed[] {
  const spent = limits.filter(({ unit, used, max }) => unit === 'usd' && max > 0 && used >= max * nearShare)
  const used = keys.filter((key) => key.max > 0 && key.used >= key.max * nearShare)
  return [
    ...spent.map(({ subject, used: amount, max }): FoundNeed => ({
      kind: 'spending',
      tone: amount >= max ? 'failed' : 'warning',
      siteId: subject.id,
      title: messageOf('need-spending', { spentUsd: amount, ceilingUsd: max }),
      details: [messageOf('need-spending-why')],
    })),
    ...used.map(({ id, name, siteId, used: answers, max }): FoundNeed => ({
      kind: 'key',
      tone: answers >= max ? 'failed' : 'notice',
      subjectId: id,
      siteId,
      title: messageOf('need-key', { name, percent: Math.floor((100 * answers) / max) }),
      details: [messageOf('need-key-why', { used: answers, count: max })],
    })),
  ]
}

async function findDigests({ store, organizationId, now }: NeedsInput): Promise<FoundNeed[]> {
  const unsent = await listUnsentDigests(store.durable, { organizationId, since: now - weekMs })
  return unsent.map(({ siteId, failure, since }) => ({
    kind: 'digest',
    tone: 'warning',
    siteId,
    title: messageOf('need-digest'),
    details: [verbatim(failure)],
    since,
  }))
}

async function findJobs({ store, organizationId, now }: NeedsInput): Promise<FoundNeed[]> {
  const jobs = await listEndedJobs(store.durable, { organizationId, since: now - weekMs })
  return jobs
    .filter(({ status }) => status === 'failed')
    .map(({ id, siteId, title, failure, updatedAt }) => ({
      kind: 'job',
      tone: 'warning',
      subjectId: id,
      siteId,
      title: messageOf('need-job', { title }),
      details: failure === null ? [] : [verbatim(failure)],
      since: updatedAt,
    }))
}

/** Those of connected hosts are known by the jobs that opened them. */
async function findPullRequests({ store, organizationId, now, baseUrl, sites }: NeedsInput): Promise<FoundNeed[]> {
  const [own, jobs] = await Promise.all([
    listWaitingPullRequests(store.durable, organizationId),
    listEndedJobs(store.durable, { organizationId, since: now - 4 * weekMs }),
  ])
  const elsewhere = jobs.flatMap(({ pullRequest, siteId, title, repository, updatedAt }) => {
    const { url = '', state, isDraft } = pullRequest ?? {}
    if (state !== 'open' || isDraft === true || url.startsWith(`${baseUrl}/pull/`)) return []
    return [{ url, siteId, title, repository, createdAt: updatedAt }]
  })
  const all = [
    ...own.map((each) => ({ ...each, url: baseUrl + each.url, siteId: findSiteOf(each.repository, sites) })),
    ...elsewhere,
  ]
  return [...new Map(all.map((each) => [each.url, each])).values()].map(
    ({ url, siteId, title, repository, createdAt }) => ({
      kind: 'pull-request',
      tone: 'notice',
      url,
      siteId,
      title: messageOf('need-pull-request', { title }),
      details: [verbatim(repository)],
      since: createdAt,
    }),
  )
}

/** The site that is made of a repository of the built-in host. Null if there are several, or none. */
function findSiteOf(repository: string, sites: NeedsInput['sites']): string | null {
  const [site, other] = sites.filter(({ source }) => source.kind === 'builtin' && source.location === repository)
  return other === undefined ? (site?.id ?? null) : null
}

async function findDiscrepancies({ store, organizationId }: NeedsInput): Promise<FoundNeed[]> {
  const open = await countOpenDiscrepancies(store.durable, organizationId)
  return open.map(({ siteId, count, since }) => ({
    kind: 'discrepancies',
    tone: 'notice',
    siteId,
    title: messageOf('need-discrepancies', { count }),
    details: [messageOf('need-discrepancies-why')],
    since,
  }))
}

async function findUnanswered({ store, organizationId, now }: NeedsInput): Promise<FoundNeed[]> {
  const filter = { organizationId, from: now - weekMs, to: now + 1 }
  const tallies = await tallySites(store.durable, filter, weekMs)
  const lacking = tallies.filter(({ unanswered }) => unanswered >= unansweredMin)
  return Promise.all(
    lacking.map(async ({ siteId, unanswered }): Promise<FoundNeed> => {
      const asked = { ...filter, siteId, verdicts: refusalVerdicts }
      const { items } = await listAskedQuestions(store.durable, asked, {
        limit: 1,
        charsMax: { question: 200, answer: 1 },
      })
      const [newest] = items
      return {
        kind: 'questions',
        tone: 'notice',
        siteId,
        title: messageOf('need-questions', { count: unanswered }),
        details: newest === undefined ? [] : [messageOf('need-questions-why', { question: newest.question })],
        ...(newest !== undefined && { since: newest.askedAt }),
      }
    }),
  )
}
