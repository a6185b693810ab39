import { queryOptions } from '@tanstack/react-query'
import type { ListedThread, ThreadMessage, Transcript } from '../../../src/contract/threads.ts'
import { type ListPage, request, withQuery } from './request.ts'
import { sitePath } from './sites.ts'

export type { ListedThread, ThreadMessage, Transcript }

export interface ConversationFilter {
  search?: string | undefined
  verdict?: string | undefined
  feedback?: string | undefined
}

const rowsOfPage = 25

/** Answers of one conversation; people do not talk longer. */
const messagesMax = 200

export function conversationsQuery(siteId: string, filter: ConversationFilter, cursor: string | null) {
  return queryOptions({
    queryKey: ['conversations', siteId, filter, cursor],
    queryFn: ({ signal }) =>
      request<ListPage<ListedThread>>(
        'GET',
        withQuery(sitePath(siteId, '/threads'), { ...filter, limit: rowsOfPage, cursor }),
        undefined,
        signal,
      ),
  })
}

export function conversationQuery(siteId: string, threadId: string) {
  return queryOptions({
    queryKey: ['conversations', siteId, 'one', threadId],
    queryFn: ({ signal }) =>
      request<Transcript>(
        'GET',
        withQuery(sitePath(siteId, `/threads/${encodeURIComponent(threadId)}`), { limit: messagesMax }),
        undefined,
        signal,
      ),
  })
}

export function deleteConversation(siteId: string, threadId: string): Promise<void> {
  return request('DELETE', sitePath(siteId, `/threads/${encodeURIComponent(threadId)}`))
}
