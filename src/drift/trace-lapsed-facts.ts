import { basename } from 'node:path/posix'
import type { DriftState, LiveFile } from './drift-state.ts'
import type { Fact } from './fact.ts'
import { type BornFact, type BornFacts, findSuccessor, indexBornFacts, kindOf, NamedLines } from './find-successor.ts'
import type { LapsedFact } from './lapsed-fact.ts'
import { isCompoundName, nameKey } from './name-key.ts'

interface Trace {
  repository: string
  base: string
  revision: string
  /** Changed files as they were, and as they are. */
  before: readonly LiveFile[]
  after: readonly LiveFile[]
  read(id: string): Promise<string | null>
}

const linesMax = 200_000
/** That many files at once are a package that moved elsewhere, of which one finding is enough. */
const packageFilesMin = 25
const leftFilesMin = 8
/** How many times as many product files are gone as there are left. */
const leftShare = 5

/** The facts that a change of the product took away, with what replaced them. */
export async function traceLapsedFacts(state: DriftState, trace: Trace): Promise<LapsedFact[]> {
  const { repository, base, revision } = trace
  const packages = findLeftPackages(state, trace)
  if (packages.length === 0 && hasLeft(state, trace)) return []
  const { born, kept } = findBornFacts(state, trace)
  const after = await readLines(trace, trace.after)
  const paths = new Set(trace.after.map(({ path }) => path))
  const landed = {
    byObject: Map.groupBy(trace.after, ({ object }) => object),
    byName: Map.groupBy(trace.after, ({ path }) => basename(path)),
  }
  const lapsed: LapsedFact[] = []
  for (const file of trace.before) {
    const left = packages.find(({ folder }) => file.path.startsWith(folder))?.name ?? ''
    const lost = listLostFacts(state, file, { isGone: !paths.has(file.path), kept })
    const before = new NamedLines(lost.length === 0 ? [] : await readLines(trace, [file]))
    for (const fact of lost) {
      const next = left === '' ? chooseSuccessor(fact, file, { born, landed }, { before, after }) : null
      if (fact.form === 'default' && next === null) continue
      // Only described in another way, or a flag with its command.
      if (isDescribed.has(fact.form) && (next?.fact.name === fact.name || hasLiteral(after, fact.name))) continue
      lapsed.push({
        ...fact,
        repository,
        base,
        revision,
        path: file.path,
        package: left,
        successor: next === null ? '' : fact.form === 'default' ? next.fact.value : next.fact.name,
        isRenamed: next?.isRenamed ?? false,
        newPath: next?.fact.path ?? '',
        newLine: next?.fact.line ?? 0,
      })
    }
  }
  return lapsed
}

/**
 * The facts that no file defines any more, also those whose name lives on for now: the finding waits until it is gone.
 *
 * The end of a plain word that nobody exports cannot be distinguished from a change of wording.
 */
function listLostFacts(
  state: DriftState,
  file: LiveFile,
  { isGone, kept }: { isGone: boolean; kept: ReadonlySet<string> },
): Fact[] {
  const whole: Fact[] = isGone ? [toFileFact(file.path), ...listModuleFacts(file)] : []
  const facts = file.kind === 'product' && file.blob !== null ? state.listFacts(file.blob) : []
  const isTelling = ({ form, key, isPublic }: Fact) =>
    form === 'endpoint' ? isPublic : form !== 'member' || isCompoundName(key)
  // Most facts of a changed file are still there, and asking the state costs more.
  const lost = (fact: Fact) => !kept.has(exactIdOf(fact)) && (!state.isAlive(fact) || !state.isDefined(fact))
  return [...whole.filter((fact) => !state.isAlive(fact)), ...facts.filter((fact) => isTelling(fact) && lost(fact))]
}

const isDescribed: ReadonlySet<string> = new Set(['flag', 'command'])

/** Whether a text of the new state is the name of a flag or command: a constant, or a key of a record. */
function hasLiteral(lines: ReadonlySet<string>, written: string): boolean {
  const name = written.replace(/^--/, '')
  const texts = [`'${name}'`, `"${name}"`]
  return lines.values().some((line) => texts.some((text) => line.includes(text)))
}

/** What is loaded by the name of its file, such as a rule or a plugin, or is a class of that name. */
function listModuleFacts({ path, kind }: LiveFile): Fact[] {
  const name = basename(path).replace(/\..*$/, '')
  const isNamed = kind === 'product' && isCompoundName(nameKey(name))
  return isNamed ? [{ ...toFileFact(path), form: 'member', key: nameKey(name), name }] : []
}

function toFileFact(path: string): Fact {
  return { form: 'file', key: path, name: path, owner: '', value: '', line: 1, isPublic: true }
}

/** @returns Also the ids of all facts of the changed files as they are now. */
function findBornFacts(state: DriftState, { before, after }: Trace): { born: BornFacts; kept: Set<string> } {
  const idOf = (fact: Fact) => exactIdOf({ ...fact, form: fact.form === 'member' ? 'exported' : fact.form })
  const known = new Set(before.flatMap(({ blob }) => (blob === null ? [] : state.listFacts(blob).map(idOf))))
  const kept = new Set<string>()
  const paths = new Set(before.map(({ path }) => path))
  const born = after.flatMap((file) => {
    const facts = file.blob === null || file.kind !== 'product' ? [] : state.listFacts(file.blob)
    for (const fact of facts) kept.add(exactIdOf(fact))
    const files = paths.has(file.path) ? [] : [toFileFact(file.path)]
    return [...files, ...facts.filter((fact) => !known.has(idOf(fact)))].map((fact) => ({ ...fact, path: file.path }))
  })
  return { born: indexBornFacts(born), kept }
}

function exactIdOf({ form, key, owner, value }: Fact): string {
  return [form, key, owner, value].join('\n')
}

/** Changed files as they are, by what they are found by. */
interface LandedFiles {
  byObject: ReadonlyMap<string, readonly LiveFile[]>
  byName: ReadonlyMap<string, readonly LiveFile[]>
}

function chooseSuccessor(
  fact: Fact,
  file: LiveFile,
  { born, landed }: { born: BornFacts; landed: LandedFiles },
  lines: { before: NamedLines; after: ReadonlySet<string> },
) {
  const bornIn = (path: string): BornFact | undefined => born.get(kindOf(fact))?.byPath.get(path)?.[0]
  if (fact.form === 'default' || fact.form === 'package') {
    const next = bornIn(file.path)
    return next === undefined ? null : { fact: next, isRenamed: true }
  }
  if (fact.form === 'file') {
    const moved = landed.byObject.get(file.object)?.filter(({ path }) => path !== file.path) ?? []
    const [same] = moved.length > 0 ? moved : (landed.byName.get(basename(file.path)) ?? [])
    const next = same === undefined ? undefined : bornIn(same.path)
    return next === undefined ? null : { fact: next, isRenamed: moved.length === 1 }
  }
  return findSuccessor(fact, { born, path: file.path }, lines)
}

/** Lines without indentation, which moves change. Bounded, because a large change renames nothing by hand. */
async function readLines({ read }: Trace, files: readonly LiveFile[]): Promise<Set<string>> {
  const lines = new Set<string>()
  for (const { object, blob } of files) {
    if (blob === null || lines.size > linesMax) continue
    for (const line of ((await read(object)) ?? '').split('\n')) lines.add(line.trim())
  }
  return lines
}

/** Whether nearly all source is gone at once: it moved to where it is not read, which says nothing about its names. */
function hasLeft(state: DriftState, { repository, before, after }: Trace): boolean {
  const kept = new Set(after.map(({ path }) => path))
  const gone = before.filter(({ path, kind }) => kind === 'product' && !kept.has(path)).length
  return gone >= leftFilesMin && state.countProductFiles(repository) * leftShare < gone
}

/** Folders of packages whose manifest and files are gone. */
function findLeftPackages(state: DriftState, { before, after }: Trace): { folder: string; name: string }[] {
  const kept = new Set(after.map(({ path }) => path))
  const gone = before.filter(({ path, kind }) => kind === 'product' && !kept.has(path))
  if (gone.length < packageFilesMin) return []
  const manifests = gone.filter(
    ({ path, object }) =>
      /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.py|go\.mod|Cargo\.toml)$/.test(path) &&
      !after.some((file) => file.object === object),
  )
  return manifests.flatMap(({ path, blob }) => {
    const folder = path.replace(/[^/]*$/, '')
    const files = gone.filter((file) => file.path.startsWith(folder))
    if (folder === '' || files.length < packageFilesMin) return []
    const named = blob === null ? undefined : state.listFacts(blob).find(({ form }) => form === 'package')?.name
    return [{ folder, name: named ?? folder.replace(/\/$/, '') }]
  })
}
