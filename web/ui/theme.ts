import { useSyncExternalStore } from 'react'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const storageName = 'docent-theme'
const listeners = new Set<() => void>()

/** Applies the chosen theme. Called before rendering, so that nothing flashes. */
export function applyTheme(): void {
  const theme = readTheme()
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(subscribe, readTheme), changeTheme]
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function changeTheme(theme: Theme): void {
  try {
    localStorage.setItem(storageName, theme)
  } catch {
    // Browsers may forbid storage; the choice then lasts as long as the page.
  }
  current = theme
  applyTheme()
  for (const listener of listeners) listener()
}

let current: Theme | null = null

function readTheme(): Theme {
  current ??= themes.find((theme) => theme === readStored()) ?? 'system'
  return current
}

function readStored(): string | null {
  try {
    return localStorage.getItem(storageName)
  } catch {
    return null
  }
}
