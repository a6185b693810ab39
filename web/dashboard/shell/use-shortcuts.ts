import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useSession } from '../api/session.ts'
import { moveToRow, pressInRow } from '../../ui/row-keys.ts'
import { placeShortcuts, type Shortcut, type ShortcutId, shortcuts } from './shortcuts.ts'

/** Longest pause between two keys of one shortcut. */
const pauseMsMax = 1_500

/** Binds the shortcuts of the window. None works while one types in a field, unless its table says so. */
export function useShortcuts(onPalette: () => void, onHelp: () => void): void {
  const { organization } = useSession()
  const navigate = useNavigate()
  const started = useRef(0)
  /** Each returns false if there was nothing to do, so that the browser does what the key means to it. */
  const actions: Record<ShortcutId, () => unknown> = {
    palette: onPalette,
    help: onHelp,
    search: focusSearch,
    next: () => moveToRow(1),
    previous: () => moveToRow(-1),
    open: () => pressInRow('open'),
    select: () => pressInRow('select'),
    undo: pressUndo,
    leave: () => leaveField() || pressInRow('deselect'),
  }
  const goTo = (key: string) => {
    const place = placeShortcuts.find(({ keys }) => keys === `g ${key}`)
    if (place === undefined) return false
    return void navigate({ to: place.to, params: { organization: organization.id } })
  }
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.isComposing || event.defaultPrevented) return
    const isSecond = event.timeStamp - started.current < pauseMsMax && isPlain(event) && !isBusyWith(event)
    started.current = 0
    const found = listShortcuts().find(([, shortcut]) => isPressed(event, shortcut))
    if (isSecond && goTo(event.key) !== false) event.preventDefault()
    else if (found !== undefined && actions[found[0]]() !== false) event.preventDefault()
    else if (event.key === 'g' && isPlain(event) && !isBusyWith(event)) started.current = event.timeStamp
  })
  useEffect(() => {
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}

function listShortcuts() {
  return Object.entries(shortcuts) as [ShortcutId, Shortcut][] // `Object.entries` loses the names.
}

function isPressed(event: KeyboardEvent, { keys, isEverywhere = false }: Shortcut): boolean {
  if (!isEverywhere && isBusyWith(event) && !(keys === 'Escape' && isInField(event))) return false
  const hasModifier = event.ctrlKey || event.metaKey
  if (keys.startsWith('mod+')) {
    return hasModifier && !event.altKey && !event.shiftKey && event.key.toLowerCase() === keys.slice(4)
  }
  return isPlain(event) && event.key === keys
}

/** Shift belongs to the key, as in `?`. */
function isPlain({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return !ctrlKey && !metaKey && !altKey
}

const fields = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable], [role="combobox"]'
/** Messages are dialogs to screen readers, but take no keys. */
const popups =
  '[role="dialog"]:not([data-toast]), [role="alertdialog"]:not([data-toast]), [role="menu"], [role="listbox"]'

/** Whether a field or a popup takes the keys. */
function isBusyWith(event: KeyboardEvent): boolean {
  return isInField(event) || document.querySelector(popups) !== null
}

function isInField({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest(fields) !== null
}

/** Goes from a field of the page to its rows; popups close by themselves. */
function leaveField(): boolean {
  const field = document.activeElement
  if (document.querySelector(popups) !== null || !(field instanceof HTMLElement) || !field.matches(fields)) return false
  field.blur()
  return true
}

/** The newest toast comes first. */
function pressUndo(): boolean {
  const button = document.querySelector<HTMLElement>('[data-undo]')
  button?.click()
  return button !== null
}

function focusSearch(): boolean {
  const field = document.querySelector<HTMLElement>('main [role="search"] input')
  field?.focus()
  return field !== null
}
