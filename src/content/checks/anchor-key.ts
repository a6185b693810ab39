/**
 * What two writings of one anchor have in common. Sites differ in how they treat punctuation and case, and a link that
 * works must never be called broken.
 */
export function anchorKey(anchor: string): string {
  return decode(anchor)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
