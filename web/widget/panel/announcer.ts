import type { Say } from '../words/make-say.ts'

/** Keeps a number on the line of the word before it. */
export const wordJoiner = '\u2060'

/** Least time between two announcements, so that screen readers finish one before the next. */
const pauseMs = 1_500

/** Tells screen readers of an answer in whole blocks: growing text in a live region would be read in fragments. */
export class Announcer {
  readonly #region: () => HTMLElement | null
  readonly #waiting: string[] = []
  #timer: ReturnType<typeof setTimeout> | undefined

  /** @param region An empty element with the role `status` that stays. */
  constructor(region: () => HTMLElement | null) {
    this.#region = region
  }

  say(text: string): void {
    this.#waiting.push(text)
    if (this.#timer === undefined) this.#speak()
  }

  /** Forgets what has not been said, such as of an answer that is gone. */
  clear(): void {
    this.#waiting.length = 0
    this.#region()?.replaceChildren()
  }

  #speak(): void {
    const text = this.#waiting.splice(0).join(' ')
    this.#timer = undefined
    if (text === '') return
    const line = document.createElement('p')
    line.append(text)
    this.#region()?.replaceChildren(line)
    this.#timer = setTimeout(() => this.#speak(), pauseMs)
  }
}

/** A block of an answer as it is read aloud: code by its length, without numbers of sources. */
export function describeBlock(say: Say, block: Element): string {
  if (block.matches('.code')) {
    const code = block.querySelector('code')?.textContent ?? ''
    return say('codeBlock', { count: code.trimEnd().split('\n').length })
  }
  const copy = block.cloneNode(true)
  if (!(copy instanceof Element)) return ''
  for (const number of copy.querySelectorAll('.cite')) number.remove()
  return copy.textContent.replaceAll(wordJoiner, '').trim()
}
