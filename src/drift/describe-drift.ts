import type { DiscrepancyDetails } from '../contract/discrepancies.ts'
import { cutText } from '../contract/cut-text.ts'
import type { Message } from '../contract/message.ts'
import { type MessageCode, messageOf, writeMessages } from '../contract/message-texts.ts'
import type { FactForm } from './fact.ts'
import type { Drift } from './find-drift.ts'
import { swapName } from './find-successor.ts'
import type { LapsedFact } from './lapsed-fact.ts'
import { nameKey } from './name-key.ts'

/** A place where a page and the product differ. */
export interface DescribedDrift {
  /** Subject and page, without a commit, so that it stays the same finding. */
  key: string
  subject: string
  page: string
  isCertain: boolean
  details: DiscrepancyDetails
}

const placesMax = 50
const lineCharsMax = 400

const gone: Readonly<Record<Exclude<FactForm, 'default'>, MessageCode>> = {
  exported: 'drift-gone-name',
  member: 'drift-gone-name',
  read: 'drift-gone-name',
  parameter: 'drift-gone-parameter',
  flag: 'drift-gone-flag',
  command: 'drift-gone-command',
  feature: 'drift-gone-feature',
  variable: 'drift-gone-variable',
  endpoint: 'drift-gone-endpoint',
  field: 'drift-gone-field',
  package: 'drift-gone-package',
  file: 'drift-gone-file',
}

/** Puts a finding into words, with its evidence. Pure. @param text The page. */
export function describeDrift({ fact, page, mentions, isCertain }: Drift, text: string): DescribedDrift {
  const lines = text.split(/\r?\n/)
  const subject = fact.package === '' ? fact.name : fact.package
  const shown = mentions.slice(0, placesMax)
  const places = shown.map(({ line }) => ({ file: page, line, text: cutLine(lines[line - 1] ?? '') }))
  const kind = fact.package === '' ? fact.form : 'package'
  return {
    key: `${kind === 'default' ? 'default' : 'name'} ${kind === 'file' || kind === 'package' ? subject : fact.key} ${page}`,
    subject,
    page,
    isCertain,
    details: {
      title: writeMessages(describeTitle(fact, subject)),
      places,
      facts: listFacts(fact),
      advice: writeMessages([describeAdvice(fact, subject)]),
      replacement: isCertain
        ? findReplacement(
            fact,
            mentions.map(({ name }) => name),
            places.map((place) => place.text),
          )
        : null,
    },
  }
}

function cutLine(line: string): string {
  const text = line.trim()
  return text.length > lineCharsMax ? `${cutText(text, lineCharsMax)}…` : text
}

function describeTitle(fact: LapsedFact, named: string): Message[] {
  const subject = cleanCode(named)
  const successor = cleanCode(fact.successor)
  if (fact.package !== '') return [messageOf('drift-package', { subject })]
  if (fact.form === 'default') return [messageOf('drift-default', { subject, successor, value: cleanCode(fact.value) })]
  const title = messageOf(gone[fact.form], { subject, owner: cleanCode(fact.owner) })
  return successor === '' ? [title] : [title, messageOf(fact.isRenamed ? 'drift-now' : 'drift-perhaps', { successor })]
}

function describeAdvice(fact: LapsedFact, named: string): Message {
  const subject = cleanCode(named)
  const successor = cleanCode(fact.successor)
  if (fact.form === 'default') return messageOf('drift-advice-default', { successor })
  return messageOf(successor === '' ? 'drift-advice-gone' : 'drift-advice-renamed', { subject, successor })
}

/** Paths and values may contain any character. */
function cleanCode(text: string): string {
  return text.replaceAll(/[`\p{Cc}\p{Cf}]/gu, "'")
}

function listFacts(fact: LapsedFact) {
  const { repository, path, line, base, revision, newPath, newLine, successor } = fact
  const place = { repository: repository === '' ? null : repository }
  const last = {
    label: writeMessages([messageOf('drift-last')]),
    value: fact.form === 'default' ? fact.value : fact.name,
    commit: base,
    file: path,
    line,
  }
  const isKnown = newPath !== ''
  const next = { value: isKnown ? successor : null, file: isKnown ? newPath : null, line: isKnown ? newLine : null }
  const change = fact.form === 'default' ? 'changed' : fact.isRenamed ? 'renamed' : 'removed'
  return [
    { ...place, ...last },
    { ...place, label: writeMessages([messageOf(`drift-${change}`)]), commit: revision, ...next },
  ]
}

/** The literal text to replace, where each line has it in one spelling. */
function findReplacement(fact: LapsedFact, names: readonly string[], lines: readonly string[]) {
  if (!fact.isRenamed || fact.successor === '' || fact.package !== '') return null
  const from = fact.form === 'default' ? fact.value : (names[0] ?? '')
  const to = fact.form === 'default' ? fact.successor : spellLike(fact, from)
  if (to === null || !lines.every((line) => swapName(line, from, to) !== line)) return null
  const isClear = fact.form !== 'default' || lines.every((line) => line.split(from).length === 2)
  return isClear && (fact.form === 'default' || names.every((name) => name === from)) ? { from, to } : null
}

/** A page may name the end of a path, or leave the prefix of a flag; other spellings are for people to decide. */
function spellLike({ form, name, successor }: LapsedFact, written: string): string | null {
  if (written === name) return successor
  if (form === 'file' && name.endsWith(`/${written}`)) {
    const folder = name.slice(0, name.length - written.length)
    return successor.startsWith(folder) ? successor.slice(folder.length) : successor
  }
  return form === 'flag' && nameKey(written) === nameKey(name)
    ? written.replace(/[A-Za-z].*$/, '') + successor.replace(/^--(?:no-)?/, '')
    : null
}
