import { useChat } from '@ai-sdk/react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { DocentTransport } from '../../../../packages/docent-client/src/docent-transport.ts'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { ApiError, describeError, UnreachableError } from '../../api/api-error.ts'
import classes from './chat.module.css'
import { Composer } from './composer.tsx'
import { MessageView } from './message-view.tsx'
import type { PlaygroundMessage } from './playground-message.ts'
import { type PlaygroundSettings, readSettings, siteSettings } from './playground-settings.ts'
import { SettingsPanel } from './settings-panel.tsx'
import { playgroundOperations } from '../../../../src/contract/operations/playground.ts'
import { operationAddress } from '../../../../src/client/create-client.ts'
import { send } from '../../api/send.ts'
import { say } from '../../../words/say.ts'

/** More frequent updates are imperceptible and slow down weak machines. */
const drawMs = 60

export interface ChatProps {
  site: SiteResource
  initial: PlaygroundMessage[]
  /** The stored conversation that this one continues. */
  threadId?: string
}

export function Chat({ site, initial, threadId }: ChatProps) {
  const [settings, setSettings] = useState<PlaygroundSettings>(siteSettings)
  const chat = usePlaygroundChat({ site, initial }, settings)
  const { messages, status, error } = chat
  const isBusy = status === 'submitted' || status === 'streaming'
  const end = useFollowedEnd(messages)
  return (
    <div className={classes.columns}>
      <div className={classes.chat}>
        {threadId === undefined ? null : (
          <Notice>{say('This is a copy of a stored conversation. New questions do not change the original.')}</Notice>
        )}
        {messages.length === 0 ? (
          <Notice>{say('Ask a question that a reader might ask about {name}.', { name: site.name })}</Notice>
        ) : null}
        <ol className={classes.messages} aria-label={say('Conversation')}>
          {messages.map((message, index) => (
            <li key={message.id}>
              <MessageView message={message} isRunning={isBusy && index === messages.length - 1} />
            </li>
          ))}
        </ol>
        <p role="status" className={classes.status}>
          <ChatStatus status={status} hasAnswer={messages.at(-1)?.role === 'assistant'} />
        </p>
        {error === undefined ? null : <Notice tone="danger">{describeChatError(error)}</Notice>}
        {!isBusy && messages.length > 0 ? (
          <div>
            <Button size="small" onClick={() => void chat.regenerate()}>
              {say('Regenerate answer')}
            </Button>
          </div>
        ) : null}
        <Composer isBusy={isBusy} onSend={(text) => void chat.sendMessage({ text })} onStop={() => void chat.stop()} />
        <div ref={end} />
      </div>
      <SettingsPanel site={site} settings={settings} onChange={setSettings} />
    </div>
  )
}

function ChatStatus({ status, hasAnswer }: { status: string; hasAnswer: boolean }) {
  if (status === 'submitted') return say('Sending the question …')
  if (status === 'streaming') return say('Writing the answer …')
  return status === 'ready' && hasAnswer ? <VisuallyHidden>{say('The answer is complete.')}</VisuallyHidden> : null
}

function usePlaygroundChat({ site, initial }: Pick<ChatProps, 'site' | 'initial'>, settings: PlaygroundSettings) {
  // The transport is created once; settings are read when a question is sent.
  const current = useRef(settings)
  useEffect(() => {
    current.current = settings
  }, [settings])
  const transport = useMemo(
    () =>
      new DocentTransport<PlaygroundMessage>({
        site: site.slug,
        api: operationAddress(playgroundOperations.tryAnswer, { params: { id: site.id } }),
        question: () => readSettings(current.current),
        fetch: sendQuestion,
      }),
    [site.id, site.slug],
  )
  const client = useQueryClient()
  // Playground answers and their costs appear in insights.
  const onFinish = () => void client.invalidateQueries({ queryKey: ['getInsightsSummary'] })
  return useChat<PlaygroundMessage>({ messages: initial, transport, throttle: drawMs, onFinish })
}

/** Without a time limit, because a model may be slow. */
function sendQuestion(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const { url } = new Request(input)
  const headers = Object.fromEntries(new Headers(init.headers))
  return send(url, { ...init, method: 'POST', headers, timeLimitMs: Infinity })
}

/** Errors within the stream are sentences of the service too. */
function describeChatError(error: Error): string {
  return error instanceof ApiError || error instanceof UnreachableError || error.message === ''
    ? describeError(error)
    : error.message
}

/** Distance from the end within which the view follows it. */
const nearPx = 160

/** Keeps the end of a growing chat visible for users near the end. */
function useFollowedEnd(messages: readonly PlaygroundMessage[]) {
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const place = end.current?.getBoundingClientRect()
    const isNear = place !== undefined && place.top < window.innerHeight + nearPx
    if (messages.length > 0 && isNear) end.current?.scrollIntoView({ block: 'nearest' })
  }, [messages])
  return end
}
