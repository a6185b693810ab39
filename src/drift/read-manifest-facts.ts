import type { FactCollector } from './fact-collector.ts'

const manifest = /(?:^|\/)(?:package\.json|pyproject\.toml|Cargo\.toml|go\.mod)$/

export function isManifest(path: string): boolean {
  return manifest.test(path)
}

/** Adds the name of a package, the programs it installs and its optional features. */
export function readManifestFacts(path: string, text: string, into: FactCollector): void {
  if (path.endsWith('package.json')) return readPackageJson(text, into)
  if (path.endsWith('go.mod')) {
    const name = /^module[ \t]+([\w./-]+)/m.exec(text.slice(0, 20_000))?.[1]
    if (name !== undefined) into.add('package', name, 1, { key: name.toLowerCase() })
    return
  }
  let section = ''
  for (const [index, line] of text.split('\n').entries()) {
    section = /^\[{1,2}([\w.-]+)\]/.exec(line)?.[1] ?? section
    const [, name = '', value = ''] = /^["']?([\w-]+)["']?[ \t]*=[ \t]*(.*)/.exec(line.slice(0, 300)) ?? []
    if (name !== '') readEntry(section, { name, value, at: index + 1 }, into)
  }
}

interface Entry {
  name: string
  value: string
  at: number
}

function readEntry(section: string, { name, value, at }: Entry, into: FactCollector): void {
  const text = /^"([\w.-]+)"/.exec(value)?.[1]
  if (/^(?:project|tool\.poetry|package)$/.test(section) && name === 'name' && text !== undefined)
    into.add('package', text, at, { key: text.toLowerCase() })
  else if (/^(?:project\.scripts|tool\.poetry\.scripts)$/.test(section)) into.add('command', name, at)
  else if (section === 'bin' && name === 'name' && text !== undefined) into.add('command', text, at)
  else if (/^(?:project\.optional-dependencies|tool\.poetry\.extras|features)$/.test(section))
    into.add('feature', name, at)
}

/** A private package has no users, but its commands may. */
function readPackageJson(text: string, into: FactCollector): void {
  const { name, bin } = parseObject(text)
  if (typeof name === 'string') into.add('package', name, 1, { key: name.toLowerCase() })
  if (typeof bin !== 'object' || bin === null) return
  for (const command of Object.keys(bin)) {
    into.add('exported', command, 1)
    into.add('command', command, 1)
  }
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const data: unknown = JSON.parse(text)
    return typeof data === 'object' && data !== null ? { ...data } : {}
  } catch {
    return {}
  }
}
