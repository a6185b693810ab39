/** @jsxImportSource preact */
import { useEffect, useRef } from 'preact/hooks'
import { Icon, IconButton } from './icon.tsx'
import type { PanelContext } from './panel-context.ts'

interface PastListProps {
  context: PanelContext
  onClose: () => void
}

/** Earlier conversations on this device, to go on with or to delete. */
export function PastList({ context, onClose }: PastListProps) {
  const { conversation, language, say } = context
  const area = useRef<HTMLDivElement>(null)
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  useEffect(() => area.current?.querySelector('button')?.focus(), [])
  const forget = (chatId: string | null) => {
    conversation.forget(chatId)
    if (conversation.past.length === 0) onClose()
    else area.current?.querySelector('button')?.focus()
  }
  return (
    <div ref={area} class="past" role="group" aria-label={say('earlier')}>
      <ul>
        {conversation.past.map(({ chatId, title, at }) => (
          <li key={chatId}>
            <button
              type="button"
              class="hit"
              onClick={() => {
                onClose()
                conversation.reopen(chatId)
              }}
            >
              <Icon name="ask" />
              <span class="found">
                <b dir="auto">{title}</b>
                <span class="text">{format.format(at)}</span>
              </span>
            </button>
            <IconButton
              icon="close"
              label={say('deleteConversation', { title })}
              isSmall
              onClick={() => forget(chatId)}
            />
          </li>
        ))}
      </ul>
      <button type="button" class="btn quiet s" onClick={() => forget(null)}>
        {say('deleteAll')}
      </button>
    </div>
  )
}
