import { bodyCharsMax, titleCharsMax } from '../contract/pull-requests.ts'

/** Texts may come from models: a long one is cut rather than losing the work it describes. */
export function boundTitle(title: string): string {
  return cut(title.replace(/\s+/g, ' ').trim(), titleCharsMax) || 'A change'
}

export function boundBody(body: string): string {
  return cut(body, bodyCharsMax)
}

/** Never cuts a surrogate pair, which hosts reject. */
function cut(text: string, charsMax: number): string {
  return text.slice(0, charsMax).replace(/[\uD800-\uDBFF]$/, '')
}
