import { createElement, useState } from 'react'
import { useChat } from '../../clients/ai-v4/node_modules/ai-react-v4/dist/index.mjs'
import { ChatView, mountPage, readApiUrl, requestHeaders } from './page-state.ts'

function Page() {
  const [header, setHeader] = useState<string | null>(null)
  const chat = useChat({
    api: readApiUrl(),
    headers: requestHeaders,
    body: { fp: 'anonymous' },
    sendExtraMessageFields: true,
    onResponse: (response) => setHeader(response.headers.get('X-Thread-Id')),
  })
  const answers = chat.messages.filter(({ role }) => role === 'assistant')
  const state = {
    status: chat.status,
    error: chat.error?.message ?? null,
    answers: answers.map(({ content }) => content),
    threadIds: {
      data: chat.data?.map((entry) => readThreadId(entry)).findLast((id) => id !== undefined),
      annotations: answers
        .at(-1)
        ?.annotations?.map((entry) => readThreadId(entry))
        .findLast((id) => id !== undefined),
      header,
    },
  }
  const ask = (content: string) => void chat.append({ role: 'user', content })
  return createElement(ChatView, { state, actions: { ask, stop: chat.stop } })
}

function readThreadId(entry: unknown): unknown {
  return typeof entry === 'object' && entry !== null && 'threadId' in entry ? entry.threadId : undefined
}

mountPage(() => createElement(Page))
