/**
 * Takes out the paragraphs that are nothing but a link to a source. Answers without a model end their quotes with one, for
 * clients that show no sources; the panel lists them below.
 *
 * @param urls Of the sources that are listed.
 */
export function dropSourceLinks(root: Element, urls: readonly string[]): void {
  const pages = new Set(urls.map(pageOf))
  for (const block of root.querySelectorAll(':scope > p')) {
    const link = block.firstElementChild
    // Empty texts may stand beside it.
    if (!(link instanceof HTMLAnchorElement) || link.textContent !== block.textContent) continue
    if (pages.has(pageOf(link.href))) block.remove()
  }
}

const pageOf = (url: string) => url.replace(/#.*/s, '')
