/**
 * Keeps an element in its place on the page, which routers of some sites replace.
 *
 * @param findPlace What it is put into; null while there is none.
 * @param placed Called whenever it was put there.
 * @param signal Ends it, and removes the element.
 */
export function keepOnPage(
  element: HTMLElement,
  findPlace: () => Element | null,
  placed: () => void,
  signal: AbortSignal,
): void {
  const observer = new MutationObserver(() => {
    const place = element.isConnected ? null : findPlace()
    place?.append(element)
    if (place) placed()
  })
  observer.observe(document, { childList: true, subtree: true })
  signal.addEventListener('abort', () => {
    observer.disconnect()
    element.remove()
  })
  findPlace()?.append(element)
}
