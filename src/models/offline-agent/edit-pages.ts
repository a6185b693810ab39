import type { AgentProgram } from './agent-program.ts'
import {
  callOne,
  describeMissing,
  findPage,
  isMarkdown,
  type ProgramPart,
  readField,
  readFile,
  refuseProgram,
  textOf,
} from './find-page.ts'
import { refuse, type TextEdit } from './markdown-edits.ts'
import type { Place } from './read-clauses.ts'

export interface PageEdit {
  /** Null: the one page that contains `words`. */
  place: Place | null
  /** What the edit needs on a page. */
  words: string
  edit(text: string): TextEdit
  title: string
  /** What was done, before the names of the pages: `Removed “A” from`. */
  done: string
}

/** Edits the texts of pages. A page that cannot be edited as asked stays as it is, and is named with the reason. */
export function* editPages({ place, words, edit, title, done }: PageEdit): AgentProgram {
  const found = yield* findPlaces(place, words)
  if (typeof found === 'string') return refuseProgram(found)
  const written: string[] = []
  const notDone: string[] = []
  for (const path of found) {
    const text = yield* readFile(path)
    const tried = text === null ? refuse('It cannot be read.') : edit(text)
    const edited = tried.isOk && tried.text === text ? refuse('It is like that already.') : tried
    const outcome = edited.isOk ? yield* callOne('write', { path, content: edited.text }) : null
    if (outcome?.isOk === true) written.push(path)
    else notDone.push(`${path}: ${edited.isOk ? (outcome?.isOk === false ? outcome.message : '') : edited.reason}`)
  }
  if (written.length === 0) return refuseProgram(notDone.join(' ').slice(0, 1_000))
  const where = written.length > 5 ? `${written.length} pages` : written.join(', ')
  return {
    title,
    summary: `${done} ${where}, as asked.`,
    ...(notDone.length > 0 && { notDone: notDone.join(' ').slice(0, 1_000) }),
  }
}

/** @returns A sentence if a page is not there, or it is not clear which one is meant. */
function* findPlaces(place: Place | null, words: string): ProgramPart<string[] | string> {
  if (place !== null && typeof place !== 'string') return yield* findNamedPages(place.pages)
  const paths = (yield* findFilesWith(words)).filter(isPage)
  if (paths.length === 0) return `“${words}” is on no page.`
  if (place !== null || paths.length === 1) return paths
  return `“${words}” is on ${paths.length} pages. Name the page: ${paths.slice(0, 3).join(', ')}.`
}

/** @returns A sentence if a page is not there. */
export function* findNamedPages(names: readonly string[]): ProgramPart<string[] | string> {
  const found: string[] = []
  for (const name of names) {
    const path = yield* findPage(name)
    if (path === null) return describeMissing(name)
    found.push(path)
  }
  return found
}

/** Files that contain the first line of a text. */
export function* findFilesWith(words: string): ProgramPart<string[]> {
  const firstLine = words.split('\n').find((line) => line.trim() !== '') ?? words
  const found = yield* callOne('grep', { pattern: firstLine, literal: true, filesOnly: true })
  const files = found.isOk ? readField(found.output, 'files') : []
  return (Array.isArray(files) ? files : []).map((file) => textOf(file, 'path'))
}

/** Pages of the site. Instructions for agents never count as pages, wherever they are. */
export function isPage(path: string): boolean {
  return isMarkdown(path) && !isForAgents(path)
}

export function isForAgents(path: string): boolean {
  return /(?:^|\/)(?:agents|claude|gemini)\.md$|^\./i.test(path)
}
