/** @jsxImportSource preact */
import { useRef, useState } from 'preact/hooks'
import { IconButton } from './icon.tsx'
import { lazyView } from './lazy-view.tsx'
import type { PanelContext } from './panel-context.ts'

const PastList = lazyView(() => import('./past-list.tsx').then((module) => module.PastList))

/** Opens the list of earlier conversations over what is below. Absent where there are none. */
export function PastButton({ context }: { context: PanelContext }) {
  const [isOpen, setOpen] = useState(false)
  const area = useRef<HTMLSpanElement>(null)
  if (context.conversation.past.length === 0) return null
  const close = () => {
    setOpen(false)
    area.current?.querySelector('button')?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen || event.key !== 'Escape') return
    // Otherwise the panel would close, too.
    event.preventDefault()
    event.stopPropagation()
    close()
  }
  return (
    <span ref={area} onKeyDown={onKeyDown}>
      <IconButton
        icon="history"
        label={context.say('earlier')}
        isExpanded={isOpen}
        onClick={() => (isOpen ? close() : setOpen(true))}
      />
      {isOpen ? <PastList context={context} onClose={close} /> : null}
    </span>
  )
}
