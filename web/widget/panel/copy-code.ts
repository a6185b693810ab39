import type { Say } from '../words/make-say.ts'
import { copyText } from './copy-text.ts'

/** A button that copies what an element contains when it is pressed. */
export function copyCode(say: Say, code: HTMLElement): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'btn quiet s'
  button.textContent = say('copy')
  button.addEventListener('click', () => {
    void copyText(code.textContent).then((isCopied) => (button.textContent = say(isCopied ? 'copied' : 'notCopied')))
    setTimeout(() => (button.textContent = say('copy')), 2_000)
  })
  return button
}
