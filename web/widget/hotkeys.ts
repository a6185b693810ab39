const isApple = /Mac|iP/.test(navigator.platform)

const modifiers = ['ctrl', 'meta', 'alt', 'shift'] as const

/**
 * A combination in the one form that is compared, such as `ctrl+i`. `mod` and `cmd` are the command key on Apple's systems
 * and Ctrl elsewhere.
 *
 * @param text Such as `mod+k`, `/` or `none`.
 */
export function normalizeHotkey(text: string): string {
  const words = text
    .toLowerCase()
    .replace(/mod|cmd/, isApple ? 'meta' : 'ctrl')
    .split('+')
  return [...modifiers.filter((name) => words.includes(name)), words.at(-1)].join('+')
}

/** Whether a key press is the hotkey and not handled elsewhere. Plain keys do not count while the reader types. */
export function isHotkey(event: KeyboardEvent, hotkey: string): boolean {
  if (event.defaultPrevented || event.isComposing || event.repeat) return false
  const held = modifiers.filter((name) => event[`${name}Key`])
  if ([...held, event.key.toLowerCase()].join('+') !== hotkey) return false
  return /ctrl|meta|alt/.test(hotkey) || !isTyping(event)
}

/** Such as ⌘i or ctrl+i, whose words are shown with capitals. */
export function describeHotkey(hotkey: string): string {
  return hotkey === 'none' ? '' : hotkey.replace('meta+', '⌘')
}

/** Looks into shadow roots, whose events name only their host. */
function isTyping(event: KeyboardEvent): boolean {
  // The page itself can have the focus too, which nothing matches.
  const [target] = event.composedPath() as HTMLElement[]
  return target?.isContentEditable || target?.matches?.('input,textarea,select') || false
}
