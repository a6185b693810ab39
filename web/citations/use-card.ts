import {
  type FocusEvent,
  type MouseEvent,
  type PointerEvent,
  type ToggleEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'

/** Long enough that a pointer passing by opens nothing. */
const openMs = 120
/** Long enough to move the pointer from the link into the card. */
const closeMs = 250

/**
 * A card beside a link, which opens while the link or the card is pointed at or has the focus, and by a tap. The browser
 * closes it on Escape, and on a press elsewhere.
 *
 * @returns Properties of the element around both, of the link, and of the card, which is rendered while it is open.
 */
export function useCard() {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const area = useRef<HTMLSpanElement>(null)
  const link = useRef<HTMLAnchorElement>(null)
  const card = useRef<HTMLSpanElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const wasOpen = useRef(false)
  const change = (next: boolean, delayMs: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setOpen(next), delayMs)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (isOpen && link.current) card.current?.showPopover({ source: link.current })
  }, [isOpen])
  const holds = (target: EventTarget | null) => target instanceof Node && area.current?.contains(target) === true
  return {
    id,
    isOpen,
    area: {
      ref: area,
      onPointerEnter: ({ pointerType }: PointerEvent) => void (pointerType === 'mouse' && change(true, openMs)),
      onPointerLeave: ({ pointerType }: PointerEvent) => {
        if (pointerType === 'mouse' && area.current?.matches(':focus-within') !== true) change(false, closeMs)
      },
      onBlur: ({ relatedTarget }: FocusEvent) => void (!holds(relatedTarget) && change(false, 0)),
    },
    link: {
      ref: link,
      // Focus that comes back from the card is that of a card that was closed.
      onFocus: ({ relatedTarget }: FocusEvent) => void (!holds(relatedTarget) && change(true, 0)),
      onPointerDown: () => void (wasOpen.current = isOpen),
      onClick: (event: MouseEvent) => {
        if ((event.nativeEvent as { pointerType?: string }).pointerType !== 'touch') return // A pointer event in browsers.
        event.preventDefault()
        change(!wasOpen.current, 0)
      },
    },
    card: {
      ref: card,
      onToggle: ({ newState }: ToggleEvent) => void (newState === 'closed' && change(false, 0)),
    },
  }
}
