import { isRecent } from '../base/is-recent.ts'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { repositoryKinds } from '../contract/code-hosts.ts'
import { countOf } from '../contract/count-of.ts'
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

const part = (
  name: HealthPart['name'],
  state: HealthPart['state'],
  message: string,
  subject: string | null = null,
): HealthPart => ({ name, subject, state, message })

function worstOf(parts: readonly HealthPart[]): HealthPart['state'] {
  const order = ['failed', 'warning', 'ok'] as const
  return order.find((state) => parts.some((each) => each.state === state)) ?? 'ok'
}

/** Omitted if there are none, because that needs no attention. */
function describeSecrets(faults: readonly string[]): HealthPart[] {
  return faults.length === 0 ? [] : [part('secrets', 'failed', faults.join(' '))]
}

/** @param pingMs Response time of the database; null if it did not respond. */
async function checkDatabase({ store, readWriteFault }: HealthDeps, pingMs: number | null): Promise<HealthPart> {
  if (pingMs === null)
    return part('database', 'failed', 'The database does not respond. Check its server and DATABASE_URL.')
  const fault = await readWriteFault()
  if (fault !== null) return part('database', 'failed', fault)
  const name = store.dialect === 'sqlite' ? 'The embedded database' : 'PostgreSQL'
  return part('database', 'ok', `${name} answered in ${Math.round(pingMs)} ms.`)
}

async function checkDisk(folder: string): Promise<HealthPart> {
  const disk = await statfs(folder).catch(() => null)
  if (disk === null) return part('disk', 'failed', 'The data folder cannot be read. Check DOCENT_DATA and its owner.')
  return describeDisk(disk.bavail * disk.bsize, disk.blocks * disk.bsize)
}

/** @param freeBytes Space available to the process. */
export function describeDisk(freeBytes: number, allBytes: number): HealthPart {
  const free = `${(freeBytes / gibibyte).toFixed(1)} of ${(allBytes / gibibyte).toFixed(1)} GiB are free`
  if (freeBytes < gibibyte / 10)
    return part('disk', 'failed', `${free} on the disk of the data folder. Free up space now.`)
  if (freeBytes < gibibyte)
    return part('disk', 'warning', `${free} on the disk of the data folder. Free up space soon.`)
  return part('disk', 'ok', `${free} on the disk of the data folder.`)
}

export function describeModel(name: string, offlineModelId: string, outcomes: readonly ModelOutcomes[]): HealthPart {
  const answers = outcomes.reduce((sum, each) => sum + each.answers, 0)
  const failed = outcomes.reduce((sum, each) => sum + each.failed, 0)
  const count = `${countOf(answers, 'answer')} in the last hour, ${failed} failed`
  if (failed >= failuresMin && failed === answers) {
    return part('model', 'failed', `${name}: ${count}. Test it with "docent doctor", and check its key and server.`)
  }
  if (failed >= failuresMin && failed * 5 >= answers) {
    return part('model', 'warning', `${name}: ${count}. Check the log for the reason.`)
  }
  if (name === offlineModelId) {
    return part('model', 'ok', `${name} only quotes pages; set DOCENT_MODEL to use a language model. ${count}.`)
  }
  const others = outcomes.filter(({ model }) => model !== null && model !== name).map(({ model }) => model)
  if (others.length > 0)
    return part('model', 'warning', `${name}: ${count}. Other models that answered: ${others.join(', ')}.`)
  return part('model', 'ok', `${name}: ${count}.`)
}

async function checkEmbedding(
  { embeddingModel, indexFolder }: HealthDeps,
  sites: readonly SiteIndexState[],
): Promise<HealthPart> {
  if (embeddingModel === null) {
    return part(
      'embedding',
      'off',
      'Search only uses keywords. Set DOCENT_EMBEDDING_MODEL to search by meaning as well.',
    )
  }
  const indexed = sites.flatMap(({ slug, generation }) =>
    generation === null ? [] : [{ slug, file: generation.file }],
  )
  const headers = await Promise.all(indexed.map(({ file }) => readVectorHeader(join(indexFolder, file))))
  const ready = headers.filter((header) => header?.model === embeddingModel).length
  const message = `${embeddingModel}: ${ready} of ${indexed.length} indexed sites have vectors`
  const unused = indexed.flatMap(({ slug }, place) => describeUnused(slug, headers[place]?.fusion))
  if (ready === indexed.length && unused.length === 0) return part('embedding', 'ok', `${message}.`)
  const rest =
    ready === indexed.length
      ? '.'
      : '; the others use keyword search until theirs are ready. If that takes long, check the log.'
  return part('embedding', 'warning', [`${message}${rest}`, ...unused].join(' '))
}

/** A sentence about a site whose vectors were measured and are of no use; see `chooseFusion`. */
export function describeUnused(slug: string, fusion: Fusion | undefined): string[] {
  if (fusion?.weight !== 0 || fusion.measured === null) return []
  const { words, fused } = fusion.measured
  const change = `${(words * 100).toFixed(1)} → ${(fused * 100).toFixed(1)} of 100`
  const effect = fused < words ? 'worse' : 'no better'
  return [
    `The embedding model makes results of ${slug} ${effect} (${change}), so it is not used there: try another one.`,
  ]
}

const hostedKinds: ReadonlySet<string> = new Set(repositoryKinds)

/** If a run failed while fetching, its host could not be read. */
function describeHosts(sites: readonly SiteIndexState[]): HealthPart {
  const hosted = sites.filter(({ sourceKind }) => hostedKinds.has(sourceKind))
  if (hosted.length === 0) return part('code-hosts', 'off', 'No site uses a repository.')
  const lost = hosted.filter(({ run }) => run?.state === 'failed' && (run.step === null || run.step === 'fetching'))
  const [first] = lost
  if (first === undefined)
    return part(
      'code-hosts',
      'ok',
      `At the last sync, the ${hosted.length === 1 ? 'repository of the site was' : `repositories of ${hosted.length} sites were`} readable.`,
    )
  const names = lost.map(({ slug }) => slug).join(', ')
  return part(
    'code-hosts',
    'warning',
    `The repositories of these sites could not be read: ${names}. ${first.run?.failure ?? ''}`.trim(),
  )
}

export function describeIndex({ slug, generation, run }: SiteIndexState, fault: string | null = null): HealthPart {
  if (fault !== null) return part('index', 'failed', [fault, run?.failure].filter(Boolean).join(' '), slug)
  const failure = run?.state === 'failed' ? (run.failure ?? 'The latest sync failed.') : null
  if (generation === null) {
    return failure === null
      ? part('index', 'warning', `The site ${slug} has not been indexed yet.`, slug)
      : part('index', 'failed', `The site ${slug} has no index. ${failure}`, slug)
  }
  const served = `Serving generation ${generation.number}: ${countOf(generation.pageCount, 'page')}`
  if (failure !== null) return part('index', 'warning', `${served}. The latest sync failed: ${failure}`, slug)
  if (generation.findings > 0) {
    return part('index', 'ok', `${served}, ${countOf(generation.findings, 'finding')} in the source.`, slug)
  }
  return part('index', 'ok', `${served}.`, slug)
}

async function checkQueue({ store, clock }: HealthDeps, organizationId: string): Promise<HealthPart> {
  const now = clock.now()
  const depths = await readQueueDepths(store.durable, { organizationId, now })
  const waiting = depths.filter((depth) => depth.waiting > 0)
  if (waiting.length === 0) return part('queue', 'ok', 'The queue is empty.')
  const words = waiting.map(({ name, waiting: count }) => `${count} ${name}`).join(' and ')
  const isLong = waiting.some(({ oldestAt }) => oldestAt !== null && now - oldestAt > waitingLongMs)
  if (!isLong) return part('queue', 'ok', `Waiting for a worker: ${words}.`)
  return part(
    'queue',
    'warning',
    `Waiting for a worker: ${words}, the oldest for more than ten minutes. Check that a worker is running ("docent work").`,
  )
}
