import { say } from '../../../words/say.ts'

export interface CodeSampleText {
  id: string
  title: string
  /** What is copied, for screen readers. */
  what: string
  code: string
}

export interface AssistantSampleInput {
  /** Where clients reach the service, without a trailing slash. */
  baseUrl: string
  /** The slug of the site. */
  domain: string
  /** The key, or a placeholder. */
  secret: string
}

/** Ready-to-run samples for an assistant key. */
export function writeAssistantSamples(input: AssistantSampleInput): [CodeSampleText, ...CodeSampleText[]] {
  return [
    { id: 'curl', title: 'curl', what: say('curl sample'), code: writeCurl(input) },
    { id: 'v5', title: say('useChat (AI SDK 5 and later)'), what: say('useChat sample'), code: writeUseChatV5(input) },
    { id: 'v4', title: 'useChat (AI SDK 4)', what: say('useChat 4 sample'), code: writeUseChatV4(input) },
  ]
}

/** Ready-to-run sample for an admin key. */
export function writeAdminSample({
  baseUrl,
  secret,
  projectId,
}: {
  baseUrl: string
  secret: string
  projectId: string
}) {
  const body = JSON.stringify({ prompt: 'Fix the broken links.' })
  return {
    id: 'agent',
    title: 'curl',
    what: say('curl sample'),
    code: `curl ${baseUrl}/v2/agent/${projectId}/job \\
  -H 'Authorization: Bearer ${secret}' \\
  -H 'Content-Type: application/json' \\
  -d '${body}'`,
  }
}

function writeCurl({ baseUrl, domain, secret }: AssistantSampleInput): string {
  const body = {
    fp: 'anonymous',
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'How do I begin?' }] }],
  }
  return `curl -N ${baseUrl}/discovery/v2/assistant/${domain}/message \\
  -H 'Authorization: Bearer ${secret}' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(body)}'`
}

function writeUseChatV5({ baseUrl, domain, secret }: AssistantSampleInput): string {
  return `import { useChat } from '@ai-sdk/react'
import { DefaultChatTransport, type UIMessage } from 'ai'
import { useState } from 'react'

type DocentMessage = UIMessage<{ threadId?: string }>

const transport = new DefaultChatTransport<DocentMessage>({
  api: '${baseUrl}/discovery/v2/assistant/${domain}/message',
  headers: { Authorization: 'Bearer ${secret}' },
  prepareSendMessagesRequest: ({ id, messages, body }) => ({
    body: { ...body, id, messages, fp: 'anonymous', threadId: findThreadId(messages) },
  }),
})

function findThreadId(messages: DocentMessage[]) {
  return messages.findLast(({ metadata }) => metadata?.threadId)?.metadata?.threadId ?? null
}

export function Assistant() {
  const { messages, sendMessage, error } = useChat<DocentMessage>({ transport })
  const [question, setQuestion] = useState('')

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void sendMessage({ text: question })
        setQuestion('')
      }}
    >
      {messages.map(({ id, parts }) => (
        <article key={id}>{parts.map((part) => (part.type === 'text' ? part.text : ''))}</article>
      ))}
      {error && <p role="alert">{error.message}</p>}
      <input aria-label="Question" value={question} onChange={(event) => setQuestion(event.target.value)} />
    </form>
  )
}
`
}

function writeUseChatV4({ baseUrl, domain, secret }: AssistantSampleInput): string {
  return `import { useChat } from '@ai-sdk/react'
import { useState } from 'react'

export function Assistant() {
  const [threadId, setThreadId] = useState<string | null>(null)
  const { messages, input, handleInputChange, handleSubmit, error } = useChat({
    api: '${baseUrl}/discovery/v1/assistant/${domain}/message',
    headers: { Authorization: 'Bearer ${secret}' },
    body: { fp: 'anonymous', threadId },
    onResponse: (response) => setThreadId(response.headers.get('X-Thread-Id')),
  })

  return (
    <form onSubmit={handleSubmit}>
      {messages.map(({ id, content }) => (
        <article key={id}>{content}</article>
      ))}
      {error && <p role="alert">{error.message}</p>}
      <input aria-label="Question" value={input} onChange={handleInputChange} />
    </form>
  )
}
`
}
