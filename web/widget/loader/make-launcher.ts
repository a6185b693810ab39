/** The button that opens the panel, with its text and its hotkey. In inline mode it looks like the field that it turns into. */
export function makeLauncher(): [button: HTMLButtonElement, text: HTMLElement, hotkey: HTMLElement] {
  const button = document.createElement('button')
  const text = document.createElement('span')
  const hotkey = document.createElement('kbd')
  button.type = 'button'
  button.className = 'launch'
  button.part = 'button'
  button.ariaHasPopup = 'dialog'
  button.ariaExpanded = 'false'
  hotkey.ariaHidden = 'true'
  button.append(text, hotkey)
  return [button, text, hotkey]
}
