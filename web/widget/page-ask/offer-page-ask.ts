import type { OfferDeps, QuestionSubject } from '../panel-contract.ts'
import { chooseLanguage, type Language } from '../words/languages.ts'
import css from './page-ask.css?inline'

const askAboutThis: Record<Language, string> = {
  en: 'Ask about this',
  de: 'Dazu fragen',
  fr: 'Demander à ce sujet',
  es: 'Preguntar sobre esto',
  pt: 'Perguntar sobre isto',
  ja: 'これについて質問',
  zh: '就此提问',
}

/** Position of the button, from the edges of what it is about. */
const gapPx = 8

interface Offer {
  subject: QuestionSubject
  /** The area that it is placed beside. */
  place: () => DOMRect
  /** Whether it is within the place, as in a code block, or below it. */
  isInside: boolean
}

/** Offers to ask about code that is pointed at or focused, and about selected text. Changes nothing of the page. */
export function offer({ root, widget, signal }: OfferDeps): void {
  if (root.querySelector('.about')) return
  const button = makeButton(root)
  let offer: Offer | null = null
  const show = (next: Offer | null) => {
    offer = next
    button.togglePopover(next !== null)
    if (next) place(button, next)
  }
  const isOwn = ({ target }: Event) => target === root.host
  const showCode = (event: Event) => {
    if (isOwn(event) || offer?.subject.type === 'textSelection') return
    show(findCode(event.target))
  }
  const showSelection = (event: Event) => {
    if (!isOwn(event)) show(findSelection() ?? (event instanceof PointerEvent ? findCode(event.target) : null))
  }
  for (const name of ['pointerover', 'focusin']) document.addEventListener(name, showCode, { signal })
  for (const name of ['pointerup', 'keyup']) document.addEventListener(name, showSelection, { signal })
  document.addEventListener('scroll', () => offer && place(button, offer), { signal, capture: true, passive: true })
  // Otherwise the press would end the selection.
  button.addEventListener('pointerdown', (event) => event.preventDefault())
  button.addEventListener('click', () => {
    if (offer) widget.open({ about: offer.subject })
    show(null)
  })
  signal.addEventListener('abort', () => button.remove())
}

function makeButton(root: ShadowRoot): HTMLButtonElement {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets.push(sheet)
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'about'
  // In the top layer: what the widget is put into may clip it.
  button.popover = 'manual'
  button.textContent = askAboutThis[chooseLanguage((root.host as HTMLElement).lang)]
  root.append(button)
  return button
}

function findCode(target: EventTarget | null): Offer | null {
  const block = target instanceof Element ? target.closest('pre') : null
  const value = block?.textContent.trim() ?? ''
  if (!block || value === '') return null
  return { subject: { type: 'code', value }, place: () => block.getBoundingClientRect(), isInside: true }
}

function findSelection(): Offer | null {
  const selection = getSelection()
  const value = selection?.toString().trim() ?? ''
  if (!selection || selection.rangeCount === 0 || value === '') return null
  const range = selection.getRangeAt(0)
  const type = range.commonAncestorContainer.parentElement?.closest('pre') ? 'code' : 'textSelection'
  return { subject: { type, value }, place: () => range.getBoundingClientRect(), isInside: false }
}

function place(button: HTMLElement, { place, isInside }: Offer): void {
  const { right, bottom } = place()
  const { offsetWidth, offsetHeight } = button
  const top = isInside ? bottom - offsetHeight - gapPx : bottom + gapPx
  const left = right - offsetWidth - (isInside ? gapPx : 0)
  button.style.left = `${Math.max(gapPx, Math.min(left, innerWidth - offsetWidth - gapPx))}px`
  button.style.top = `${Math.min(top, innerHeight - offsetHeight - gapPx)}px`
}
