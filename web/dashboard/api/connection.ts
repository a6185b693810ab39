import { useSyncExternalStore } from 'react'

let isReachable = true
const listeners = new Set<() => void>()

/** Each request tells whether the service answered. */
export function setReachable(value: boolean): void {
  if (isReachable === value) return
  isReachable = value
  for (const listener of listeners) listener()
}

/** Whether the service answered when it was asked last. */
export function useIsReachable(): boolean {
  return useSyncExternalStore(subscribe, () => isReachable)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
