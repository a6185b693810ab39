import type { Clock } from '../base/clock.ts'
import { isRecent } from '../base/is-recent.ts'
import { recordPostedIds, type QueuedBotEvent } from '../store/bots/bot-events.ts'
import type { Store } from '../store/store.ts'
import type { StoreDeps } from '../store/store-deps.ts'
import type { BotEvent } from './bot-event.ts'
import { type BotAccess, type BotPlatform, notEditable } from './bot-platform.ts'

/** The platforms allow about one edit a second and channel. */
const editMsMin = 1_200

const signOfLife = 'Searching the documentation…'

/** The claim was lost: another worker has the event, so nothing more may be posted. */
export class BotEventLostError extends Error {
  override readonly name = 'BotEventLostError'

  constructor() {
    super('Another worker has taken over the event.')
  }
}

/**
 * Sends the messages of one event, each once.
 *
 * The id of a message is stored as soon as the platform returns it, and from then on the message is only edited. A
 * message whose id was lost with a killed process is looked up before it is posted again.
 */
export class ChatOutbox {
  readonly #store: Store
  readonly #clock: Clock
  readonly #platform: BotPlatform
  readonly #access: BotAccess
  readonly #claimed: QueuedBotEvent<BotEvent>
  #isShown: boolean
  #postedIds: readonly string[]
  #editedAt = 0
  #editing: Promise<unknown> | null = null
  #hasFailed = false

  constructor(
    { store, clock }: StoreDeps,
    { platform, access, claimed }: { platform: BotPlatform; access: BotAccess; claimed: QueuedBotEvent<BotEvent> },
  ) {
    this.#store = store
    this.#clock = clock
    this.#platform = platform
    this.#access = access
    this.#claimed = claimed
    const shown = platform.findSignOfLife(claimed.event)
    this.#isShown = shown !== null
    const isFirst = claimed.postedIds.length === 0 && shown !== null && shown !== notEditable
    this.#postedIds = isFirst ? [shown] : claimed.postedIds
  }

  /** Posts a message that the answer will replace, unless there is one. */
  async showSignOfLife(): Promise<void> {
    if (!this.#isShown && this.#postedIds.length === 0) await this.#send(0, [signOfLife], null)
  }

  /** Shows the answer so far, if the last edit is long enough ago. Does not wait for the platform; failures are ignored. */
  showProgress(writeSection: () => string): void {
    const id = this.#postedIds[0]
    const now = this.#clock.now()
    const isDue = this.#editing === null && !isRecent(this.#editedAt, editMsMin, now) && !this.#hasFailed
    if (!isDue || id === undefined || id === notEditable) return
    this.#editedAt = now
    const reply = { sections: [writeSection()], answerId: null, mark: this.#mark(0) }
    this.#editing = this.#platform
      .send(this.#access, this.#claimed.event, reply, id)
      .catch(() => (this.#hasFailed = true))
      .finally(() => (this.#editing = null))
  }

  /**
   * Sends the sections in as few messages as the platform allows.
   *
   * @param answerId The last message gets buttons for this answer; null: none.
   * @throws {BotApiError} {BotEventLostError}
   */
  async deliver(sections: readonly string[], answerId: string | null): Promise<void> {
    // An edit under way must not overwrite the final text.
    await this.#editing
    const { sectionsPerMessage } = this.#platform
    const count = Math.ceil(sections.length / sectionsPerMessage)
    for (let place = 0; place < count; place++) {
      const own = sections.slice(place * sectionsPerMessage, (place + 1) * sectionsPerMessage)
      await this.#send(place, own, place === count - 1 ? answerId : null)
    }
  }

  async #send(place: number, sections: readonly string[], answerId: string | null): Promise<void> {
    this.#access.signal.throwIfAborted()
    const reply = { sections, answerId, mark: this.#mark(place) }
    const known = this.#postedIds[place] ?? (await this.#findLost(reply.mark))
    if (known === notEditable) return
    const id = await this.#platform.send(this.#access, this.#claimed.event, reply, known)
    if (this.#postedIds[place] !== undefined) return
    this.#postedIds = [...this.#postedIds, id]
    if (!(await recordPostedIds(this.#store.durable, this.#claimed, this.#postedIds))) throw new BotEventLostError()
  }

  async #findLost(mark: string): Promise<string | null> {
    return this.#claimed.attempt === 1 ? null : this.#platform.findPosted(this.#access, this.#claimed.event, mark)
  }

  #mark(place: number): string {
    return `${this.#claimed.id}:${place}`
  }
}
