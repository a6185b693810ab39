import type { SuggestedPage } from '../../contract/answer-event.ts'
import { stripInvisible } from '../gate/invisible-characters.ts'

/** A page that searches found for an answer. */
export interface FoundPage {
  path: string
  title: string
  /** 0 to 1. */
  score: number
}

const suggestionsMax = 3
/** Share of the best page's score; pages below it have little to do with the question. */
const scoreShareMin = 0.6
const titleCharsMax = 80
const notInTitle = /[()[\]<>`|\\*_~]|\S*:\/\/\S*|\S*@\S*/g

/**
 * At most three pages that were found for an answer but not cited.
 *
 * @param found Best first.
 * @param shown Paths that the reader already has: cited pages, and the one that is open.
 * @param siteUrl Without a trailing slash.
 */
export function chooseSuggestions(
  found: readonly FoundPage[],
  shown: ReadonlySet<string>,
  siteUrl: string,
): SuggestedPage[] {
  const best = Math.max(0, ...found.map(({ score }) => score))
  return found
    .filter(({ path, score }) => !shown.has(path) && score >= best * scoreShareMin)
    .map(({ path, title }) => ({ title: cleanTitle(title), path, url: siteUrl + encodeURI(path) }))
    .filter(({ title }) => title !== '')
    .slice(0, suggestionsMax)
}

/**
 * Suggestions in the form that existing front ends parse: a fenced block named `suggestions` with one line
 * `(Title)[/path]` per page.
 *
 * @returns Empty if there are none.
 */
export function writeSuggestions(pages: readonly SuggestedPage[]): string {
  const lines = pages.map(({ path, title }) => `(${title})[${encodePath(path)}]`)
  return lines.length === 0 ? '' : `\n\n\`\`\`suggestions\n${lines.join('\n')}\n\`\`\`\n`
}

/** Titles come from page authors, and front ends turn this text into links. */
export function cleanTitle(title: string): string {
  return stripInvisible(title).replace(notInTitle, ' ').replace(/\s+/g, ' ').trim().slice(0, titleCharsMax)
}

function encodePath(path: string): string {
  return encodeURI(path).replace(/[()[\]?#`]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
}

const suggestionsBlock = /\n*^```suggestions\n[\s\S]*?^```[ \t]*$\n?/gm

/** Removes the suggestions from an earlier answer: a model that reads them would write its own. */
export function withoutSuggestions(text: string): string {
  return text.replace(suggestionsBlock, '')
}
