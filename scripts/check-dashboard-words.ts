// Holds the dashboard to its catalogues: every text that it shows is looked up in them, and they contain no other.
// That a text has a translation is a matter of types.

import { globSync, readFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { changeRules, siteRules } from '../src/content/finding-rules.ts'
import { germanFindings } from '../web/words/german/finding-words.ts'
import { german } from '../web/words/german/german.ts'
import { findShownLiterals, listLookUps } from './shown-literals.ts'

const root = resolve(import.meta.dirname, '..')

/** What is not a part of a page, or shown to developers only. */
const exempt = [
  /\.test\.tsx?$|\/testing\/|\/dist\/|vite\.config\.ts$/,
  // Every component in every state, with placeholder texts.
  /\/pages\/components\//,
  // Samples of code, whose titles are looked up.
  /\/code-samples\.ts$/,
]

const paths = globSync('web/{dashboard,ui,citations}/**/*.{ts,tsx}', { cwd: root, exclude: ['**/node_modules/**'] })
  .map((path) => path.split(sep).join('/'))
  .toSorted()
const sources = paths.map((path) => ({ path, source: readFileSync(join(root, path), 'utf8') }))

const faults: string[] = []
for (const { path, source } of sources) {
  if (exempt.some((pattern) => pattern.test(path))) continue
  for (const { place, text } of findShownLiterals(path, source))
    faults.push(`${place} shows “${text}”: look it up with say() of web/words/say.ts, and add it to the catalogues.`)
}
const used = new Set(sources.flatMap(({ path, source }) => listLookUps(path, source)))
for (const text of Object.keys(german)) {
  if (!used.has(text))
    faults.push(`web/words/german has “${text}”, which no page shows: remove it from the catalogues.`)
}
const rules = { ...siteRules, ...changeRules }
for (const rule of new Set([...Object.keys(rules), ...Object.keys(germanFindings)])) {
  if (!(rule in rules && rule in germanFindings))
    faults.push(`${rule} is a rule of findings or has German in web/words/german/finding-words.ts, but not both.`)
}
for (const fault of faults) console.error(fault)
console.log(`${used.size} texts, ${faults.length} outside of the catalogues or unused.`)
process.exitCode = faults.length === 0 ? 0 : 1
