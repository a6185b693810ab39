import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type DescribedDrift, describeDrift } from '../src/drift/describe-drift.ts'
import { DriftState, type RepositoryTree } from '../src/drift/drift-state.ts'
import { findDrift } from '../src/drift/find-drift.ts'
import { nameKey } from '../src/drift/name-key.ts'
import { readMentions } from '../src/drift/read-mentions.ts'

interface JudgedFinding {
  kind: string
  token: string
  docPath: string
  docText: string
  drift: boolean
}

interface RealDrift {
  stratum: string
  token: string
  docPath: string
  docLine: number
  /** Where the name stands: `fence`, `head`, `inline` or `prose`. */
  ctx: string
  docExcerpt: { firstLine: number; text: string }
  codeDiff: string | null
}

export type Files = Readonly<Record<string, string>>

const { signal } = new AbortController()
const blobs = new Map<string, string>()

function toTree(revision: string, files: Files): RepositoryTree {
  const listed = Object.entries(files).map(([path, text]) => {
    const id = createHash('sha1').update(text).digest('hex')
    blobs.set(id, text)
    return { path, id }
  })
  return { revision, files: listed, read: (id) => Promise.resolve(blobs.get(id) ?? null) }
}

/** What is found on pages after a product went through these states. */
export async function compareStates(states: readonly Files[], pages: Files): Promise<DescribedDrift[]> {
  const state = new DriftState(':memory:')
  try {
    await state.advancePages(toTree('pages', pages), signal)
    for (const [index, files] of states.entries()) {
      await state.advanceProduct('', toTree(`commit-${index}`, files), signal)
    }
    return findDrift(state).map((drift) => describeDrift(drift, blobs.get(drift.object) ?? ''))
  } finally {
    state.close()
    blobs.clear()
  }
}

/** Measures recall on documentation that became false in public histories, and writes predictions for the set's scorer. */
export async function scoreRealDrift(folder: string): Promise<void> {
  const rows = readFileSync(join(folder, 'real.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    // Written by the set's makers in this form.
    .map((line) => JSON.parse(line) as RealDrift)
  const found = new Map<string, { hits: number; all: number }>()
  const predictions: object[] = []
  for (const [i, row] of rows.entries()) {
    const { before, after } = splitDiff(row.codeDiff ?? '')
    const drifts = await compareStates([before, after], { [row.docPath]: readExcerpt(row) })
    const hits = drifts.map(({ subject, page }) => ({ token: subject, path: page }))
    predictions.push({ i, hits })
    const isHit = hits.some(
      ({ token, path }) => nameKey(token) === nameKey(row.token) && basename(path) === basename(row.docPath),
    )
    const count = found.get(row.stratum) ?? { hits: 0, all: 0 }
    found.set(row.stratum, { hits: count.hits + Number(isHit), all: count.all + 1 })
    if (!isHit && row.stratum === 'vanished') console.log(`  missed ${i}: ${row.token} in ${row.docPath}`)
  }
  const written = join(tmpdir(), 'drift.predictions.jsonl')
  writeFileSync(written, predictions.map((row) => JSON.stringify(row)).join('\n'))
  for (const [stratum, { hits, all }] of found) {
    console.log(`drift, judged set, ${stratum}: found ${hits} of ${all} (${((100 * hits) / all).toFixed(1)} %)`)
  }
  console.log(`predictions in ${written}`)
}

/**
 * Counts which findings that another program reported at real commits, and people judged, the reading of pages would keep
 * if the product had defined each name in public: the set holds a line of each page and no code.
 */
export async function scoreJudgedFindings(folder: string): Promise<void> {
  const rows = readFileSync(join(folder, 'findings.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    // Written by the set's makers in this form.
    .map((line) => JSON.parse(line) as JudgedFinding)
  const predictions: { i: number; positive: boolean; isCertain: boolean }[] = []
  for (const [i, row] of rows.entries()) {
    const isProse = /`|^\s*(?:#|\||[-*] )|\w \w+ \w+ \w/.test(row.docText)
    const text = isProse ? row.docText : `\`\`\`ts\n${row.docText}\n\`\`\``
    const found = await compareStates(defineName(row), { [row.docPath]: text })
    const own = found.filter(({ subject }) => nameKey(subject) === nameKey(row.token))
    predictions.push({ i, positive: own.length > 0, isCertain: own.some(({ isCertain }) => isCertain) })
    if (row.drift !== own.length > 0)
      console.log(`  ${row.drift ? 'dropped' : 'kept'} ${i}: ${row.token} in ${row.docText.slice(0, 100)}`)
  }
  const written = join(tmpdir(), 'findings.predictions.jsonl')
  writeFileSync(written, predictions.map((row) => JSON.stringify(row)).join('\n'))
  for (const [name, kept] of [
    ['kept', predictions.filter(({ positive }) => positive)],
    ['certain', predictions.filter(({ isCertain }) => isCertain)],
  ] as const) {
    const right = kept.filter(({ i }) => rows[i]?.drift === true).length
    console.log(
      `drift, judged findings, ${name}: ${right} of ${kept.length} true (${((100 * right) / kept.length).toFixed(1)} %)`,
    )
  }
  console.log(`predictions in ${written}`)
}

/** A product that has the name in the most public definition that its form allows, and one without it. */
function defineName({ kind, token, docText }: JudgedFinding): Files[] {
  const rest = { 'src/rest.ts': 'export const rest = 1' }
  if (kind === 'package') return [{ 'package.json': JSON.stringify({ name: token }) }, rest]
  if (token.startsWith('--')) return [{ 'src/cli.ts': `program.option('${token}', 'does it')` }, rest]
  if (/^[A-Z\d_]+$/.test(token)) return [{ 'src/env.ts': `export const set = process.env.${token}` }, rest]
  if (kind === 'default') {
    const stated = readMentions(docText).find(({ form, key }) => form === 'claim' && key === nameKey(token))
    const define = (value: string) => ({ 'src/options.py': `def read(\n    ${token}=${value},\n):\n    pass` })
    return [define(JSON.stringify(stated?.value ?? 'other')), define('"changed"')]
  }
  const declared = /^[A-Z]/.test(token)
    ? `export interface ${token} {}`
    : `export interface Options {\n  '${token}': number\n}`
  return [{ 'src/names.ts': declared }, rest]
}

/** An excerpt may begin within a fence. */
function readExcerpt({ docLine, ctx, docExcerpt: { firstLine, text } }: RealDrift): string {
  const before = text.split('\n').slice(0, docLine - firstLine)
  const isFenced = before.filter((line) => /^[ \t>]*(?:`{3}|~{3})/.test(line)).length % 2 === 1
  return isFenced === (ctx === 'fence') ? text : `\`\`\`ts\n${text}`
}

/** The files of a diff as far as it shows them. */
function splitDiff(diff: string): { before: Files; after: Files } {
  const before: Record<string, string> = {}
  const after: Record<string, string> = {}
  for (const part of diff.split(/^diff --git /m).slice(1)) {
    const [, from, to] = /^a\/(\S+) b\/(\S+)/.exec(part) ?? []
    const body = part.slice(Math.max(0, part.search(/^@@ /m))).split('\n')
    const side = (own: string) =>
      body
        .filter((line) => line.startsWith(' ') || line.startsWith(own) || line === '')
        .map((line) => line.slice(1))
        .join('\n')
    if (from !== undefined && !/^new file mode/m.test(part)) before[from] = side('-')
    if (to !== undefined && !/^deleted file mode/m.test(part)) after[to] = side('+')
  }
  return { before, after }
}
