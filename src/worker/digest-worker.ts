import type { ChatNotice } from '../bots/bot-event.ts'
import { escapeChatText } from '../bots/text/quote-text.ts'
import { readSiteSettings } from '../contract/site-settings.ts'
import type { WeeklyDigest } from '../contract/weekly-digest.ts'
import type { SendMail } from '../hand-overs/send-mail.ts'
import { findDueWeek } from '../insights/digest/find-due-week.ts'
import { makeDigest } from '../insights/digest/make-digest.ts'
import { writeDigest } from '../insights/digest/write-digest.ts'
import type { GapDeps } from '../insights/find-gaps.ts'
import { getProject } from '../store/accounts/projects.ts'
import { insertBotEvent } from '../store/bots/bot-events.ts'
import { listBots } from '../store/bots/bots.ts'
import {
  claimDigest,
  type DigestRow,
  finishDigest,
  storeDigest,
  listUndigestedSites,
  queueDigest,
} from '../store/digests/digests.ts'
import { releaseClaim } from '../store/queue.ts'
import { getSite, type Site } from '../store/sites/sites.ts'
import { announceEvent } from '../store/webhooks/webhook-events.ts'
import type { Log } from '../telemetry/log.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { ClaimLoops } from './claim-loops.ts'
import { chooseMailRetry, describeMailFailure } from './mail-retry.ts'
import type { WorkOutcome } from './work-on-claim.ts'

export interface DigestWorkerDeps extends GapDeps {
  log: Log
  telemetry?: Telemetry
  sendMail: SendMail
  baseUrl: string
}

/** Longer than grouping the questions of a site and sending an e-mail take. */
const leaseMs = 180_000
const pollMs = 5_000
const sitesAtOnce = 100

/** Sends the weekly digest of each site whose owner wants one, once for each week. */
export class DigestWorker extends ClaimLoops<DigestRow> {
  readonly #deps: DigestWorkerDeps

  constructor(deps: DigestWorkerDeps) {
    super({
      ...deps,
      name: 'digest',
      queue: 'digests',
      count: 1,
      leaseMs,
      pollMs,
      claim: async (times) => {
        await this.#queueDue(times.now)
        return claimDigest(deps.store.durable, times)
      },
      work: (row, { any, stop }) => this.#work(row, any, stop),
      fieldsOf: ({ id, siteId }) => ({ digestId: id, siteId }),
    })
    this.#deps = deps
  }

  /** Finds missing digests instead of waiting for a time, so that a server that was down on Monday sends them later. */
  async #queueDue(now: number): Promise<void> {
    const { store, ids } = this.#deps
    const weekStart = findDueWeek(now)
    for (const { id: siteId, settings } of await listUndigestedSites(store.durable, {
      weekStart,
      limit: sitesAtOnce,
    })) {
      if (readSiteSettings(settings).digest === null) continue
      await queueDigest(store.durable, { id: ids.prefixed('digest'), siteId, weekStart, now })
    }
  }

  async #work(row: DigestRow, any: AbortSignal, stop: AbortSignal): Promise<WorkOutcome> {
    const { store, clock, log } = this.#deps
    try {
      const isHeld = await this.#send(row, any)
      return isHeld && (await finishDigest(store.durable, row, null)) ? 'done' : 'lost'
    } catch (error) {
      if (stop.aborted) {
        await releaseClaim(store.durable, 'digests', row, clock.now())
        return 'handed-back'
      }
      if (any.aborted) return 'lost'
      const [waitMs, failure] = [chooseMailRetry(error, row.attempt), describeMailFailure(error)]
      log.warn({ error, digestId: row.id, siteId: row.siteId, retriedInMs: waitMs }, 'digest-not-sent')
      if (waitMs === null) await finishDigest(store.durable, row, failure)
      else await releaseClaim(store.durable, 'digests', row, clock.now() + waitMs, { failure })
      return 'failed'
    }
  }

  /** @returns False if the claim was lost. */
  async #send(row: DigestRow, signal: AbortSignal): Promise<boolean> {
    const { store, sendMail } = this.#deps
    const site = await getSite(store.durable, row.siteId)
    const settings = site === null ? null : readSiteSettings(site.settings).digest
    const project = site === null ? null : await getProject(store.durable, site.projectId)
    // Turned off meanwhile.
    if (site === null || settings === null || project === null) return true
    const { organizationId } = project
    const digest = row.digest ?? (await this.#tell(row, site, organizationId))
    if (digest === null) return false
    signal.throwIfAborted()
    const { title, blocks } = writeDigest(digest, (text) => text.replace(/\s+/g, ' '))
    const text = `${[...blocks, this.#insightsOf(organizationId, site)].join('\n\n')}\n`
    // The same id for each attempt, so that the server of a recipient can drop a second copy.
    if (settings.emails.length > 0)
      await sendMail({ to: settings.emails, replyTo: null, subject: title, text, id: row.id })
    return true
  }

  /** @returns Null if the claim was lost. */
  async #tell(row: DigestRow, site: Site, organizationId: string): Promise<WeeklyDigest | null> {
    const { store, clock, ids } = this.#deps
    const digest = await makeDigest(this.#deps, { site, organizationId, weekStart: row.weekStart })
    const now = clock.now()
    const { title, blocks } = writeDigest(digest, escapeChatText)
    const link = `[Insights](${this.#insightsOf(organizationId, site)})`
    const text = [title, ...blocks, link].join('\n\n')
    const bots = await listBots(store.durable, { siteId: site.id })
    const tell: Parameters<typeof storeDigest>[2]['tell'] = async (transaction) => {
      const body = { type: 'digest.created' as const, timestamp: new Date(now).toISOString(), data: digest }
      await announceEvent(transaction, { organizationId, subject: row.id, body, now })
      for (const { id: botId, settings } of bots) {
        if (settings.unansweredChannel === null) continue
        const event: ChatNotice = { type: 'notice', channelId: settings.unansweredChannel, text }
        const [id, deliveryId] = [ids.ulid(), `digest:${row.id}`]
        await insertBotEvent(transaction, { id, botId, deliveryId, conversation: deliveryId, event, receivedAt: now })
      }
    }
    return (await storeDigest(store.durable, row, { digest, tell })) ? digest : null
  }

  #insightsOf(organizationId: string, { slug }: Site): string {
    return `${this.#deps.baseUrl}/dashboard/${encodeURIComponent(organizationId)}/${slug}/insights`
  }
}
