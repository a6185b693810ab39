import { type RefObject, useEffect } from 'react'

/** j and k move between the cards of files, c comments on the current one, and v marks it as viewed. */
export function useFileKeys(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event
      const isTyping = target instanceof Element && target.closest('input, textarea, select, [role="dialog"]') !== null
      if (ctrlKey || metaKey || altKey || isTyping) return
      const cards = [...(list.current?.querySelectorAll<HTMLElement>('[data-card]') ?? [])]
      const current = cards.findIndex((card) => card.contains(document.activeElement))
      if (key === 'j' || key === 'k') focusCard(cards[key === 'j' ? current + 1 : Math.max(current, 1) - 1])
      else if (key === 'c' || key === 'v') press(cards[current], key)
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [list])
}

function focusCard(card: HTMLElement | undefined): void {
  card?.querySelector('summary')?.focus({ preventScroll: true })
  card?.scrollIntoView({ block: 'start' })
}

function press(card: HTMLElement | undefined, key: string): void {
  card?.querySelector<HTMLElement>(`[data-key="${key}"]`)?.click()
}
