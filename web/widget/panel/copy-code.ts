import { copyText } from './copy-text.ts'

/** A button that copies what an element contains when it is pressed. */
export function copyCode(code: HTMLElement): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'btn quiet s'
  button.textContent = 'Copy'
  button.addEventListener('click', () => {
    void copyText(code.textContent).then((isCopied) => (button.textContent = isCopied ? 'Copied' : 'Not copied'))
    setTimeout(() => (button.textContent = 'Copy'), 2_000)
  })
  return button
}
