import type { AgentRequestDeps } from '../agent/agent-deps.ts'
import { AppError } from '../contract/app-error.ts'
import { readSiteSettings } from '../contract/site-settings.ts'
import type { SendMail } from '../hand-overs/send-mail.ts'
import { writeHandOverIssue, writeHandOverMail } from '../hand-overs/write-hand-over.ts'
import {
  claimHandOverSend,
  type HandOver,
  type HandOverSendClaim,
  recordHandOverAttempt,
} from '../store/hand-overs/hand-overs.ts'
import { getSite, type Site } from '../store/sites/sites.ts'
import { releaseClaim } from '../store/queue.ts'
import type { StoreDeps } from '../store/store-deps.ts'
import type { Log } from '../telemetry/log.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { ClaimLoops } from './claim-loops.ts'
import { chooseMailRetry, describeMailFailure } from './mail-retry.ts'
import type { WorkOutcome } from './work-on-claim.ts'

export interface HandOverSenderDeps extends StoreDeps {
  log: Log
  telemetry?: Telemetry
  openHost: AgentRequestDeps['openHost']
  sendMail: SendMail
}

/** Longer than an attempt may take. */
const leaseMs = 180_000
const attemptMsMax = 120_000
const pollMs = 2_000

/** Sends messages of readers as e-mails and issues. Webhooks are sent as all others. */
export class HandOverSender extends ClaimLoops<HandOverSendClaim> {
  readonly #deps: HandOverSenderDeps

  constructor(deps: HandOverSenderDeps) {
    super({
      ...deps,
      name: 'hand-over-send',
      queue: 'handOverSends',
      count: 1,
      leaseMs,
      pollMs,
      claim: (times) => claimHandOverSend(deps.store.durable, times),
      work: (send, { any, stop }) => this.#work(send, any, stop),
      fieldsOf: ({ handOver, channel }) => ({ handOverId: handOver.id, channel }),
    })
    this.#deps = deps
  }

  async #work(send: HandOverSendClaim, any: AbortSignal, stop: AbortSignal): Promise<WorkOutcome> {
    const { store, clock } = this.#deps
    try {
      const url = await this.#send(send, AbortSignal.any([any, AbortSignal.timeout(attemptMsMax)]))
      const isHeld = await recordHandOverAttempt(store.durable, send, { failure: null, url })
      return isHeld ? 'done' : 'lost'
    } catch (error) {
      if (!stop.aborted) return this.#retry(send, error)
      await releaseClaim(store.durable, 'handOverSends', send, clock.now())
      return 'handed-back'
    }
  }

  async #retry(send: HandOverSendClaim, error: unknown): Promise<WorkOutcome> {
    const { store, clock, log } = this.#deps
    const [waitMs, failure] = [chooseMailRetry(error, send.attempt), describeMailFailure(error)]
    log.warn({ handOverId: send.handOver.id, channel: send.channel, error, retriedInMs: waitMs }, 'hand-over-not-sent')
    const retryAt = waitMs === null ? null : clock.now() + waitMs
    await recordHandOverAttempt(store.durable, send, { failure, retryAt })
    return 'failed'
  }

  /** @returns The address of the issue; null for e-mails. */
  async #send({ channel, handOver }: HandOverSendClaim, signal: AbortSignal): Promise<string | null> {
    const site = await getSite(this.#deps.store.durable, handOver.siteId)
    if (site === null) return null
    return channel === 'issue' ? this.#openIssue(site, handOver, signal) : this.#sendMail(site, handOver)
  }

  async #openIssue(site: Site, handOver: HandOver, signal: AbortSignal): Promise<string> {
    const host = await this.#deps.openHost(site)
    if (host === null) throw new AppError('no_repository', 'The site has no repository on a code host. Connect one.')
    const { title, body } = writeHandOverIssue(handOver, site.name)
    const { url } = await host.openIssue({ mark: `<!-- docent ${handOver.id} -->`, title, body }, signal)
    return url
  }

  /** To whom the owner has it sent now; a recipient who was removed since gets nothing. */
  async #sendMail(site: Site, handOver: HandOver): Promise<null> {
    const to = readSiteSettings(site.settings).handOver?.emails ?? []
    if (to.length === 0) return null
    const { title: subject, body: text } = writeHandOverMail(handOver, site.name)
    await this.#deps.sendMail({ to, replyTo: handOver.replyTo, subject, text, id: handOver.id })
    return null
  }
}
