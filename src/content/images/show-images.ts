import type { SitePage } from '../site-page.ts'

/**
 * A page's Markdown with its images.
 *
 * @param addressOf Where readers find a file of the tree, encoded for a Markdown link.
 */
export function showImages(
  { markdown, images = [] }: Pick<SitePage, 'markdown' | 'images'>,
  addressOf: (file: string) => string,
): string {
  let shown = ''
  let from = 0
  for (const { offset, length, file, isAlone } of images) {
    const alternative = markdown
      .slice(offset, offset + length)
      .replace(/[\\[\]]/g, '\\$&')
      .replace(/\s+/g, ' ')
    const image = `![${alternative}](${addressOf(file)})`
    shown += markdown.slice(from, offset)
    shown += isAlone ? `${offset < markdown.length || shown === '' ? '' : '\n\n'}${image}\n\n` : image
    from = offset + length
  }
  return (shown + markdown.slice(from)).trimEnd()
}
