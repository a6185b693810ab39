import { wordJoiner } from './announcer.ts'

/** Longer ones may break, so that nothing sticks out of the panel. */
const wordCharsMax = 30

/** Keeps the number of a source on the line of the word, or of the number, before it. */
export function keepWithWord(link: HTMLElement): void {
  const before = link.previousSibling
  if (!(before instanceof Text)) return
  const text = before.data.trimEnd()
  const word =
    text
      .slice(-wordCharsMax - 1)
      .split(/\s/u)
      .at(-1) ?? ''
  const neighbor = before.previousSibling
  if (text === '') {
    before.data = ''
    if (neighbor instanceof HTMLElement && neighbor.matches('.kept')) neighbor.append(link)
  } else if (word === '' || word.length > wordCharsMax) before.data = text + wordJoiner
  else {
    const kept = document.createElement('span')
    kept.className = 'kept'
    before.data = text.slice(0, -word.length)
    before.after(kept)
    kept.append(word + wordJoiner, link)
  }
}

/** Moves the numbers of a code block's sources, which follow it as a paragraph, to its caption. */
export function moveToCode(paragraph: HTMLElement): void {
  const caption = paragraph.previousElementSibling?.querySelector('.cap')
  const isOnlyCitations = [...paragraph.childNodes].every(
    (node) => (node instanceof Element && node.matches('.cite')) || node.textContent?.trim() === '',
  )
  if (!caption || !isOnlyCitations) return
  caption.querySelector('span')?.after(...paragraph.querySelectorAll('.cite'))
  paragraph.remove()
}
