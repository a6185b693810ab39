import { panelModes } from './panel-dialog.ts'
import { type Parse, parseFlag, parseOneOf, parseText, type SettingsOf } from './read-settings.ts'

/** Questions for the pages that a path matches: `/guides/install`, or `/guides/*` for all below it. */
export interface Starters {
  path: string
  questions: string[]
}

/** Most questions that are offered at once. */
const questionsMax = 5

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** From JSON, as a value or as text: entries with a path and questions, or only questions, which are for every page. */
const parseStarters: Parse<Starters[]> = (given) => {
  const value = isText(given) ? parseJson(given) : given
  if (!Array.isArray(value)) return undefined
  const plain = value.filter(isText)
  const entries = value.flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) return []
    const { path, questions }: { path?: unknown; questions?: unknown } = entry
    return isText(path) && Array.isArray(questions) ? [{ path, questions: questions.filter(isText) }] : []
  })
  return plain.length > 0 ? [...entries, { path: '/*', questions: plain }] : entries
}

/** The fields of the form for the people behind the site, as the service gives them. */
export interface FormField {
  name: string
  label: string
  kind: 'text' | 'email' | 'paragraphs'
  required: boolean
}

/** Only the service sets it, which checks it. */
const parseHandOver: Parse<FormField[]> = (given) => {
  const { fields }: { fields?: unknown } = typeof given === 'object' && given !== null ? given : {}
  return Array.isArray(fields) ? (fields as FormField[]) : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Every setting of the widget by the name that it has in `data-…` (in kebab case), in `docent.update` and on the server, with
 * its value where nobody sets it. The button takes its own as they are given.
 */
export const panelSettings = {
  mode: [parseOneOf(...panelModes), 'panel'],
  target: [parseText(), '[data-docent-inline]'],
  launcher: [parseOneOf('button', 'none'), 'button'],
  label: [parseText(), ''],
  language: [parseText(), 'auto'],
  position: [parseOneOf('right', 'left', 'top-right', 'top-left'), 'right'],
  // One number of pixels, or two: from above or below, and from the side.
  offset: [parseText(/^\d+(?: \d+)?$/), '24'],
  theme: [parseOneOf('auto', 'light', 'dark'), 'auto'],
  accentLight: [parseText(), ''],
  accentDark: [parseText(), ''],
  hotkey: [parseText(), 'mod+i'],
  codeAsk: [parseFlag, false],
  placeholder: [parseText(), ''],
  starters: [parseStarters, []],
  links: [parseOneOf('same-tab', 'new-tab'), 'same-tab'],
  disclaimer: [parseText(), ''],
  disclaimerTone: [parseOneOf('quiet', 'prominent', 'none'), 'quiet'],
  contact: [parseText(), ''],
  history: [parseFlag, true],
  openIn: [parseFlag, true],
  handOver: [parseHandOver, []],
} as const

export type PanelSettings = SettingsOf<typeof panelSettings>

/** Questions to offer on a page: those of the first entry that matches it. */
export function findStarters(starters: readonly Starters[], path: string): readonly string[] {
  const plain = (text: string) => text.replace(/(?:\.html)?\/*$/, '')
  const isMatch = (wanted: string) =>
    wanted.endsWith('*') ? `${plain(path)}/`.startsWith(wanted.slice(0, -1)) : plain(wanted) === plain(path)
  return starters.find(({ path: wanted }) => isMatch(wanted))?.questions.slice(0, questionsMax) ?? []
}
