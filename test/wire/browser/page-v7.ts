import { useChat } from 'ai-react-v7'
import { DefaultChatTransport } from 'ai-v7'
import { createElement, useState } from 'react'
import { ChatView, mountPage, readApiUrl, requestHeaders } from './page-state.ts'

let header: string | null = null

const transport = new DefaultChatTransport({
  api: readApiUrl(),
  headers: requestHeaders,
  body: { fp: 'anonymous' },
  async fetch(input, init) {
    const response = await fetch(input, init)
    header = response.headers.get('X-Thread-Id')
    return response
  },
})

function Page() {
  const [data, setData] = useState<unknown>(null)
  const chat = useChat({ transport, onData: (part) => setData(part.data) })
  const answers = chat.messages.filter(({ role }) => role === 'assistant')
  const state = {
    status: chat.status,
    error: chat.error?.message ?? null,
    answers: answers.map(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')).join('')),
    threadIds: { metadata: readThreadId(answers.at(-1)?.metadata), onData: readThreadId(data), header },
  }
  const ask = (text: string) => void chat.sendMessage({ text })
  const stop = () => void chat.stop()
  return createElement(ChatView, { state, actions: { ask, stop } })
}

function readThreadId(entry: unknown): unknown {
  return typeof entry === 'object' && entry !== null && 'threadId' in entry ? entry.threadId : undefined
}

mountPage(() => createElement(Page))
