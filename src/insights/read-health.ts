import { isRecent } from '../base/is-recent.ts'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { repositoryKinds } from '../contract/code-hosts.ts'
import type { Message } from '../contract/message.ts'
import { type MessageCode, messageOf, verbatim, writeMessages } from '../contract/message-texts.ts'
import type { HealthPart } from '../contract/service-health.ts'
import type { Fusion } from '../search/vectors/choose-fusion.ts'
import { readVectorHeader } from '../search/vectors/read-vector-header.ts'
import {
  listModelOutcomes,
  listSiteIndexStates,
  type ModelOutcomes,
  type SiteIndexState,
} from '../store/facts/health-facts.ts'
import { readQueueDepths } from '../store/facts/queue-depths.ts'
import type { StoreDeps } from '../store/store-deps.ts'
import { hourMs } from '../base/durations.ts'

export interface HealthDeps extends StoreDeps {
  dataFolder: string
  indexFolder: string
  /** `provider/model`; null if search only uses keywords. */
  embeddingModel: string | null
  /** The known fault of a site's index in this process, or null. */
  findIndexFault(siteId: string): string | null
  /** One sentence per stored secret that cannot be decrypted. */
  listSealedFaults(): Promise<string[]>
  /** Why the database is not writable, or null. */
  readWriteFault(): Promise<string | null>
  /** Name of the model that currently answers. */
  readModelName(): Promise<string>
  offlineModelId: string
}

export interface HealthReport {
  state: HealthPart['state']
  parts: HealthPart[]
  /** UTC milliseconds. */
  checkedAt: number
}

const believedMs = 5_000
const organizationsMax = 1_000
const sitesMax = 100
const gibibyte = 1024 ** 3
const waitingLongMs = 10 * 60_000
const failuresMin = 3

/**
 * Checks everything that the service depends on. Calls no model or host; reads the outcome of their last use instead.
 */
export class HealthReader {
  readonly #deps: HealthDeps
  readonly #known = new Map<string, { at: number; report: Promise<HealthReport> }>()

  constructor(deps: HealthDeps) {
    this.#deps = deps
  }

  /** Cached per organization for a few seconds, so that frequent calls stay cheap. */
  read(organizationId: string): Promise<HealthReport> {
    const now = this.#deps.clock.now()
    const known = this.#known.get(organizationId)
    if (known !== undefined && isRecent(known.at, believedMs, now)) return known.report
    const report = readHealth(this.#deps, organizationId)
    if (this.#known.size >= organizationsMax) this.#known.clear()
    this.#known.set(organizationId, { at: now, report })
    report.catch(() => this.#known.delete(organizationId))
    return report
  }
}

async function readHealth(deps: HealthDeps, organizationId: string): Promise<HealthReport> {
  const { store, clock } = deps
  const checkedAt = clock.now()
  const pingMs = await store.ping().then(
    () => clock.now() - checkedAt,
    () => null,
  )
  const [database, disk] = await Promise.all([checkDatabase(deps, pingMs), checkDisk(deps.dataFolder)])
  const parts = [database, disk]
  if (pingMs !== null) {
    const sites = await listSiteIndexStates(store.durable, { organizationId, limit: sitesMax })
    const since = checkedAt - hourMs
    const outcomes = await listModelOutcomes(store.durable, { organizationId, since })
    parts.push(
      describeModel(await deps.readModelName(), deps.offlineModelId, outcomes),
      await checkEmbedding(deps, sites),
      describeHosts(sites),
      ...sites.map((site) => describeIndex(site, deps.findIndexFault(site.siteId))),
      ...describeSecrets(await deps.listSealedFaults()),
      await checkQueue(deps, organizationId),
    )
  }
  return { state: worstOf(parts), parts, checkedAt }
}

function part(
  name: HealthPart['name'],
  state: HealthPart['state'],
  message: Message | MessageCode | readonly Message[],
  subject: string | null = null,
): HealthPart {
  const messages = [typeof message === 'string' ? messageOf(message) : message].flat()
  return { name, subject, state, message: writeMessages(messages), messages }
}

function worstOf(parts: readonly HealthPart[]): HealthPart['state'] {
  const order = ['failed', 'warning', 'ok'] as const
  return order.find((state) => parts.some((each) => each.state === state)) ?? 'ok'
}

/** Omitted if there are none, because that needs no attention. */
function describeSecrets(faults: readonly string[]): HealthPart[] {
  return faults.length === 0 ? [] : [part('secrets', 'failed', faults.map(verbatim))]
}

/** @param pingMs Response time of the database; null if it did not respond. */
async function checkDatabase({ store, readWriteFault }: HealthDeps, pingMs: number | null): Promise<HealthPart> {
  if (pingMs === null) return part('database', 'failed', 'database-silent')
  const fault = await readWriteFault()
  if (fault !== null) return part('database', 'failed', verbatim(fault))
  const code = store.dialect === 'sqlite' ? 'database-embedded' : 'database-postgres'
  return part('database', 'ok', messageOf(code, { ms: Math.round(pingMs) }))
}

async function checkDisk(folder: string): Promise<HealthPart> {
  const disk = await statfs(folder).catch(() => null)
  if (disk === null) return part('disk', 'failed', 'disk-unreadable')
  return describeDisk(disk.bavail * disk.bsize, disk.blocks * disk.bsize)
}

/** @param freeBytes Space available to the process. */
export function describeDisk(freeBytes: number, allBytes: number): HealthPart {
  const values = { free: toGibibytes(freeBytes), all: toGibibytes(allBytes) }
  if (freeBytes < gibibyte / 10) return part('disk', 'failed', messageOf('disk-full', values))
  if (freeBytes < gibibyte) return part('disk', 'warning', messageOf('disk-nearly-full', values))
  return part('disk', 'ok', messageOf('disk-free', values))
}

const toGibibytes = (bytes: number) => Math.round((bytes / gibibyte) * 10) / 10

export function describeModel(name: string, offlineModelId: string, outcomes: readonly ModelOutcomes[]): HealthPart {
  const answers = outcomes.reduce((sum, each) => sum + each.answers, 0)
  const failed = outcomes.reduce((sum, each) => sum + each.failed, 0)
  const count = messageOf('model-answers', { model: name, count: answers, failed })
  if (failed >= failuresMin && failed === answers) {
    return part('model', 'failed', [count, messageOf('model-unreachable')])
  }
  if (failed >= failuresMin && failed * 5 >= answers) {
    return part('model', 'warning', [count, messageOf('model-failing')])
  }
  if (name === offlineModelId) return part('model', 'ok', [count, messageOf('model-offline')])
  const others = outcomes.filter(({ model }) => model !== null && model !== name).map(({ model }) => model)
  if (others.length > 0)
    return part('model', 'warning', [count, messageOf('model-others', { models: others.join(', ') })])
  return part('model', 'ok', count)
}

async function checkEmbedding(
  { embeddingModel, indexFolder }: HealthDeps,
  sites: readonly SiteIndexState[],
): Promise<HealthPart> {
  if (embeddingModel === null) {
    return part('embedding', 'off', 'embedding-off')
  }
  const indexed = sites.flatMap(({ slug, generation }) =>
    generation === null ? [] : [{ slug, file: generation.file }],
  )
  const headers = await Promise.all(indexed.map(({ file }) => readVectorHeader(join(indexFolder, file))))
  const ready = headers.filter((header) => header?.model === embeddingModel).length
  const message = messageOf('embedding-ready', { model: embeddingModel, ready, sites: indexed.length })
  const unused = indexed.flatMap(({ slug }, place) => describeUnused(slug, headers[place]?.fusion))
  if (ready === indexed.length && unused.length === 0) return part('embedding', 'ok', message)
  const rest = ready === indexed.length ? [] : [messageOf('embedding-waiting')]
  return part('embedding', 'warning', [message, ...rest, ...unused])
}

/** A message about a site whose vectors were measured and are of no use; see `chooseFusion`. */
export function describeUnused(slug: string, fusion: Fusion | undefined): Message[] {
  if (fusion?.weight !== 0 || fusion.measured === null) return []
  const { words, fused } = fusion.measured
  const [before, after] = [words, fused].map((share) => Math.round(share * 1_000) / 10)
  const code = fused < words ? 'embedding-worse' : 'embedding-useless'
  return [messageOf(code, { site: slug, before: before ?? 0, after: after ?? 0 })]
}

const hostedKinds: ReadonlySet<string> = new Set(repositoryKinds)

/** If a run failed while fetching, its host could not be read. */
function describeHosts(sites: readonly SiteIndexState[]): HealthPart {
  const hosted = sites.filter(({ sourceKind }) => hostedKinds.has(sourceKind))
  if (hosted.length === 0) return part('code-hosts', 'off', 'hosts-none')
  const lost = hosted.filter(({ run }) => run?.state === 'failed' && (run.step === null || run.step === 'fetching'))
  const [first] = lost
  if (first === undefined) return part('code-hosts', 'ok', messageOf('hosts-readable', { count: hosted.length }))
  const names = lost.map(({ slug }) => slug).join(', ')
  const failure = first.run?.failure ?? null
  const why = failure === null ? [] : [verbatim(failure)]
  return part('code-hosts', 'warning', [messageOf('hosts-unreadable', { sites: names }), ...why])
}

export function describeIndex({ slug, generation, run }: SiteIndexState, fault: string | null = null): HealthPart {
  const why = typeof run?.failure === 'string' ? [verbatim(run.failure)] : []
  if (fault !== null) return part('index', 'failed', [verbatim(fault), ...why], slug)
  const hasFailed = run?.state === 'failed'
  if (generation === null) {
    return hasFailed
      ? part('index', 'failed', [messageOf('index-missing', { site: slug }), ...why], slug)
      : part('index', 'warning', messageOf('index-none', { site: slug }), slug)
  }
  const served = messageOf('index-served', { generation: generation.number, count: generation.pageCount })
  if (hasFailed) return part('index', 'warning', [served, messageOf('index-sync-failed'), ...why], slug)
  if (generation.findings === 0) return part('index', 'ok', served, slug)
  return part('index', 'ok', [served, messageOf('index-findings', { count: generation.findings })], slug)
}

async function checkQueue({ store, clock }: HealthDeps, organizationId: string): Promise<HealthPart> {
  const now = clock.now()
  const depths = await readQueueDepths(store.durable, { organizationId, now })
  const waiting = depths.filter((depth) => depth.waiting > 0)
  if (waiting.length === 0) return part('queue', 'ok', 'queue-empty')
  const queues = waiting.map(({ name, waiting: count }) => `${count} ${name}`).join(', ')
  const message = messageOf('queue-waiting', { queues })
  const isLong = waiting.some(({ oldestAt }) => oldestAt !== null && now - oldestAt > waitingLongMs)
  if (!isLong) return part('queue', 'ok', message)
  return part('queue', 'warning', [message, messageOf('queue-stuck')])
}
