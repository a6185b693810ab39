import type { z } from 'zod'
import type { threadQuerySchema } from '../../../../src/contract/threads.ts'

export type ConversationFilter = Pick<z.input<typeof threadQuerySchema>, 'search' | 'verdict' | 'feedback'>

const names = ['search', 'verdict', 'feedback'] as const

/** What the address of the page says; all else in it is passed over. */
export function parseConversationFilter(search: Readonly<Record<string, unknown>>): ConversationFilter {
  const given = names.flatMap((name) => {
    const value = search[name]
    // Numbers are parsed out of addresses, such as a code that is searched for.
    const text = typeof value === 'number' ? String(value) : value
    return typeof text === 'string' && text !== '' ? [[name, text] as const] : []
  })
  return Object.fromEntries(given) as ConversationFilter // The service refuses verdicts that do not exist.
}
