import type { z } from 'zod'
import type { widgetSetupSchema } from '../../../src/contract/widget-settings.ts'
import type { Given, WidgetTag } from '../panel-contract.ts'

/** Readers do not wait longer for the key of a search. */
const waitMs = 10_000

interface SetupDeps {
  tag: WidgetTag
  receive(settings: Given): void
}

/** What the owner has set on the service, asked for when the panel is first opened. */
export class SiteSetup {
  readonly #deps: SetupDeps
  #asked: Promise<string | null> | null = null

  constructor(deps: SetupDeps) {
    this.#deps = deps
  }

  /** The key of the tag, or else that of the site; null if this page may use none. */
  readKey(): Promise<string | null> {
    this.#asked ??= this.#ask().catch(() => {
      this.#asked = null
      return null
    })
    const { key } = this.#deps.tag
    return key === undefined ? this.#asked : Promise.resolve(key)
  }

  async #ask(): Promise<string | null> {
    const { tag, receive } = this.#deps
    const signal = AbortSignal.timeout(waitMs)
    const response = await fetch(`${tag.url}/widget/settings/${encodeURIComponent(tag.site)}`, { signal })
    if (!response.ok) return null
    // The service's own reply, whose type is that of its schema.
    const { settings, contact, handOver, key, problem } = (await response.json()) as z.output<typeof widgetSetupSchema>
    receive({ ...settings, contact, handOver })
    // eslint-disable-next-line no-console -- The owner of the page looks nowhere else.
    if (problem !== null && tag.key === undefined) console.warn(`Docent: ${problem.message}`)
    return key
  }
}
