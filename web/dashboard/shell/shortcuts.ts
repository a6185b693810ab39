import { organizationPlaces } from './places.ts'
import { say } from '../../words/say.ts'

export interface Shortcut {
  /** As `KeyboardEvent.key`; `mod+` is ⌘ on Apple's systems and Ctrl elsewhere. Two keys are pressed in turn. */
  keys: string
  does: string
  /** Whether it also works in fields and dialogs. */
  isEverywhere?: boolean
}

/** Shortcuts of the window. Those of `g` are the places of the navigation. */
export const shortcuts = {
  palette: { keys: 'mod+k', does: say('Go to, find or do anything'), isEverywhere: true },
  help: { keys: '?', does: say('Show this list') },
  search: { keys: '/', does: say('Search the list') },
  next: { keys: 'j', does: say('Next row') },
  previous: { keys: 'k', does: say('Previous row') },
  open: { keys: 'Enter', does: say('Open the row') },
  select: { keys: 'x', does: say('Select the row') },
  undo: { keys: 'z', does: say('Undo the last change') },
  leave: { keys: 'Escape', does: say('Close, or end the selection') },
} as const satisfies Record<string, Shortcut>

export type ShortcutId = keyof typeof shortcuts

/** `g` and the letter of a place. */
export const placeShortcuts = organizationPlaces.map(({ key, title, to }) => ({
  keys: `g ${key}`,
  does: title,
  to,
}))

const isApple = /Mac|iP(?:hone|ad)/.test(navigator.userAgent)

/** The keys of a shortcut as their caps say. */
export function nameKeys(keys: string): string[] {
  return keys
    .split(/[ +]/)
    .map((key) => (key === 'mod' ? (isApple ? '⌘' : 'Ctrl') : (keyNames[key] ?? key.toUpperCase())))
}

const keyNames: Readonly<Record<string, string>> = { Escape: 'Esc', Enter: 'Enter' }
