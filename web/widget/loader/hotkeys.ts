import type { Hotkey } from '../widget-options.ts'

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

/** Whether a press is the hotkey and nobody else's. Plain keys do not count while somebody types. */
export function isHotkey(event: KeyboardEvent, hotkey: Hotkey | null): boolean {
  if (!hotkey || event.defaultPrevented || event.isComposing || event.repeat) return false
  const { ctrl, meta } = expandMod(hotkey)
  if (event.key.toLowerCase() !== hotkey.key || event.ctrlKey !== ctrl || event.metaKey !== meta) return false
  if (event.altKey !== hotkey.alt || event.shiftKey !== hotkey.shift) return false
  return ctrl || meta || hotkey.alt || !isTyping(event)
}

/** Such as ⌘I or Ctrl I. */
export function describeHotkey(hotkey: Hotkey): string {
  const { ctrl, meta } = expandMod(hotkey)
  const names = [ctrl && (isApple ? '⌃' : 'Ctrl'), hotkey.alt && (isApple ? '⌥' : 'Alt')]
  const others = [hotkey.shift && (isApple ? '⇧' : 'Shift'), meta && (isApple ? '⌘' : 'Meta'), hotkey.key.toUpperCase()]
  return [...names, ...others].filter(Boolean).join(isApple ? '' : ' ')
}

function expandMod({ mod, ctrl, meta }: Hotkey): { ctrl: boolean; meta: boolean } {
  return { ctrl: ctrl || (mod && !isApple), meta: meta || (mod && isApple) }
}

/** Looks into shadow roots, whose events name only their host. */
function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath()
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
}
