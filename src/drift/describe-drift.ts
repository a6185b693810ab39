import type { DiscrepancyDetails } from '../contract/discrepancies.ts'
import { cutText } from '../contract/cut-text.ts'
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

const nouns: Readonly<Record<FactForm, string>> = {
  exported: 'name',
  member: 'name',
  read: 'name',
  parameter: 'parameter',
  flag: 'flag',
  variable: 'variable',
  default: 'default value',
  endpoint: 'endpoint',
  field: 'field',
  package: 'package',
  file: 'file',
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
      title: writeTitle(fact, subject),
      places,
      facts: listFacts(fact),
      advice: writeAdvice(fact, subject),
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

function writeTitle(fact: LapsedFact, subject: string): string {
  if (fact.package !== '') return `The package ${code(subject)} has left the repository.`
  if (fact.form === 'default')
    return `The default of ${code(subject)} is now ${code(fact.successor)}, no longer ${code(fact.value)}.`
  const owner = fact.form === 'parameter' || fact.form === 'field' ? ` of ${code(fact.owner)}` : ''
  const next =
    fact.successor === ''
      ? ''
      : fact.isRenamed
        ? ` It is now ${code(fact.successor)}.`
        : ` Perhaps it is now ${code(fact.successor)}.`
  return `The ${nouns[fact.form]} ${code(subject)}${owner} no longer exists in the product.${next}`
}

function writeAdvice(fact: LapsedFact, subject: string): string {
  if (fact.form === 'default') return `State ${code(fact.successor)} as the default, or leave the value out.`
  const next = fact.successor === '' ? 'what replaced it' : code(fact.successor)
  return `Name ${next} instead of ${code(subject)} on these lines, or say that it was removed.`
}

/** Paths and values may contain any character. */
function code(text: string): string {
  return `\`${text.replaceAll(/[`\p{Cc}\p{Cf}]/gu, "'")}\``
}

function listFacts(fact: LapsedFact) {
  const { repository, path, line, base, revision, newPath, newLine, successor } = fact
  const place = { repository: repository === '' ? null : repository }
  const last = {
    label: 'Last defined',
    value: fact.form === 'default' ? fact.value : fact.name,
    commit: base,
    file: path,
    line,
  }
  const isKnown = newPath !== ''
  const next = { value: isKnown ? successor : null, file: isKnown ? newPath : null, line: isKnown ? newLine : null }
  const label = fact.form === 'default' ? 'Changed' : fact.isRenamed ? 'Renamed' : 'Removed'
  return [
    { ...place, ...last },
    { ...place, label, commit: revision, ...next },
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
