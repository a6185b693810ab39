import { bodyCharsMax, titleCharsMax } from '../contract/pull-requests.ts'

/** Texts are written by models too: a long one is cut rather than losing the work that it tells of. */
export function boundTitle(title: string): string {
  return cut(title.replace(/\s+/g, ' ').trim(), titleCharsMax) || 'A change'
}

export function boundBody(body: string): string {
  return cut(body, bodyCharsMax)
}

/** Never between the two halves of a character, which hosts refuse. */
function cut(text: string, charsMax: number): string {
  return text.slice(0, charsMax).replace(/[\uD800-\uDBFF]$/, '')
}
