/**
 * Keeps an element in the body of the page, which routers of some sites replace.
 *
 * @param restored Called when the element was put back.
 * @returns Stops, and removes the element.
 */
export function keepInBody(element: HTMLElement, restored: () => void): () => void {
  const observer = new MutationObserver(() => {
    if (element.isConnected && element.parentNode === document.body) return
    watch()
    restored()
  })
  const watch = () => {
    observer.disconnect()
    document.body.append(element)
    observer.observe(document.documentElement, { childList: true })
    observer.observe(document.body, { childList: true })
  }
  watch()
  return () => {
    observer.disconnect()
    element.remove()
  }
}
