import { useSyncExternalStore } from 'react'

let isReachable = true
const listeners = new Set<() => void>()

/** Called after each request with whether the service replied. */
export function setReachable(value: boolean): void {
  if (isReachable === value) return
  isReachable = value
  for (const listener of listeners) listener()
}

/** Whether the service replied to the last request. */
export function useIsReachable(): boolean {
  return useSyncExternalStore(subscribe, () => isReachable)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
