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
  try {
    // Written by `keepThread`; anything else fails below or is not a list.
    const kept = JSON.parse(sessionStorage.getItem(nameOf(site)) ?? '') as KeptThread
    if (!Array.isArray(kept.turns)) return newThread()
    return { ...kept, turns: kept.turns.map((turn) => ({ ...makeTurn('', ''), ...turn })) }
  } catch {
    return newThread()
  }
}

export function newThread(): KeptThread {
  return {
    chatId: `widget-${Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('')}`,
    turns: [],
  }
}

/** Browsers may refuse storage or have none left; the conversation then lasts as long as the page. */
export function keepThread(site: string, thread: KeptThread): void {
  try {
    sessionStorage.setItem(nameOf(site), JSON.stringify(thread))
  } catch {}
}
