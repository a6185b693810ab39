import { readItem } from '../loader/read-item.ts'
import { storeItem } from './store-item.ts'
import { makeTurn, type Turn } from './turn.ts'

export interface KeptThread {
  chatId: string
  turns: Turn[]
}

/** Turns kept; older ones are dropped. */
export const turnsMax = 20

const nameOf = (site: string) => `docent-thread:${site}`

/** The conversation of this tab, which ends with it. */
export function readThread(site: string): KeptThread {
  return parseThread(readItem('sessionStorage', nameOf(site))) ?? newThread()
}

/** @param kept Written by an earlier page, and possibly by an older version. */
export function parseThread(kept: unknown): KeptThread | null {
  if (typeof kept !== 'object' || kept === null || !('turns' in kept) || !Array.isArray(kept.turns)) return null
  const thread = kept as KeptThread
  return { ...thread, turns: thread.turns.map((turn) => ({ ...makeTurn('', ''), ...turn })) }
}

export function newThread(): KeptThread {
  return {
    chatId: `widget-${Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('')}`,
    turns: [],
  }
}

export function keepThread(site: string, thread: KeptThread): void {
  storeItem('sessionStorage', nameOf(site), thread)
}
