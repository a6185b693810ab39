import type { QuestionSubject } from '../panel-contract.ts'

/** As much as the service uses. */
const charsMax = 8_000

/** What the reader has selected or picked on the page, which goes with the next question. */
export class PageSubject {
  readonly #host: Element
  readonly #changed: () => void
  #subject: QuestionSubject | null = null

  constructor(host: Element, changed: () => void) {
    this.#host = host
    this.#changed = changed
  }

  get current(): QuestionSubject | null {
    return this.#subject
  }

  set current(subject: QuestionSubject | null) {
    if (this.#subject?.value === subject?.value) return
    this.#subject = subject && { ...subject, value: subject.value.slice(0, charsMax) }
    this.#changed()
  }

  /** Follows the selection, until the signal. If it ends because the reader enters the panel, it stays. */
  watch(signal: AbortSignal): void {
    const read = () => document.activeElement !== this.#host && this.read()
    document.addEventListener('selectionchange', read, { signal })
  }

  /** Takes what is selected, or else the code block that has the focus. */
  read(): void {
    const selection = getSelection()
    const value = selection?.toString().trim() ?? ''
    const isCode = selection?.anchorNode?.parentElement?.closest('pre')
    const block = document.activeElement?.closest('pre')
    if (value !== '') this.current = { type: isCode ? 'code' : 'textSelection', value }
    else this.current = block ? { type: 'code', value: block.textContent.trim() } : null
  }

  /** Gives it to a question, once. */
  take(): QuestionSubject[] {
    const { current } = this
    this.current = null
    return current ? [current] : []
  }
}
