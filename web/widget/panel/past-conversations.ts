import { readItem } from '../loader/read-item.ts'
import { type KeptThread, parseThread } from './kept-thread.ts'
import { storeItem } from './store-item.ts'

/** A conversation on this device. */
export interface PastConversation {
  chatId: string
  /** Its first question. */
  title: string
  /** When it was last answered, in milliseconds since 1970. */
  at: number
}

const conversationsMax = 20
const titleCharsMax = 200

const listName = (site: string) => `docent-history:${site}`
const itemName = (site: string, chatId: string) => `docent-history:${site}:${chatId}`

/** The newest first. */
export function listPast(site: string): PastConversation[] {
  const kept = readItem('localStorage', listName(site))
  // Scripts of the page may write there too.
  return Array.isArray(kept) ? kept.filter((item: PastConversation | null) => Number(item?.at)) : []
}

/** Stores a conversation, replacing its earlier state. If there is no room, the oldest ones are dropped. */
export function savePast(site: string, thread: KeptThread): void {
  const { chatId, turns } = thread
  const [first] = turns
  if (!first) return
  const others = listPast(site).filter((past) => past.chatId !== chatId)
  for (const past of others.splice(conversationsMax - 1)) storeItem('localStorage', itemName(site, past.chatId), null)
  while (!storeItem('localStorage', itemName(site, chatId), thread)) {
    const oldest = others.pop()
    if (!oldest) return
    storeItem('localStorage', itemName(site, oldest.chatId), null)
  }
  const title = first.question.slice(0, titleCharsMax)
  storeItem('localStorage', listName(site), [{ chatId, title, at: Date.now() }, ...others])
}

export function readPast(site: string, chatId: string): KeptThread | null {
  return parseThread(readItem('localStorage', itemName(site, chatId)))
}

/** @param chatId Null for all. */
export function removePast(site: string, chatId: string | null): void {
  const [removed, kept] = [listPast(site), listPast(site)].map((list, index) =>
    list.filter((past) => (chatId === null || past.chatId === chatId) === (index === 0)),
  )
  for (const past of removed ?? []) storeItem('localStorage', itemName(site, past.chatId), null)
  storeItem('localStorage', listName(site), kept ?? [])
}
