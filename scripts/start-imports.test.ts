import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { EcmaScriptModule } from 'oxc-parser'
import { expect, it } from 'vitest'
import { parseSource } from './parse-source.ts'

const root = resolve(import.meta.dirname, '..')

/** What a file loads as soon as it is loaded itself. */
function listLoaded({ staticImports, staticExports }: EcmaScriptModule): string[] {
  const isType = (entries: readonly { isType: boolean }[]) =>
    entries.length > 0 && entries.every((entry) => entry.isType)
  const imported = staticImports
    .filter(({ entries }) => !isType(entries))
    .map(({ moduleRequest }) => moduleRequest.value)
  const exported = staticExports.flatMap(({ entries }) =>
    isType(entries) ? [] : entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
  )
  return [...imported, ...exported]
}

function listLoadedPackages(entry: string): Set<string> {
  const files = new Set([entry])
  const packages = new Set<string>()
  for (const file of files) {
    for (const specifier of listLoaded(parseSource(file, readFileSync(file, 'utf8')).module)) {
      if (specifier.startsWith('.')) files.add(resolve(file, '..', specifier))
      else packages.add(specifier)
    }
  }
  return packages
}

it('a server loads the parsers of sites when something is to be parsed, not at its start', () => {
  const loaded = listLoadedPackages(resolve(root, 'src/cli/start.ts'))

  expect([...loaded]).toContain('hono')
  expect([...loaded].filter((name) => /acorn|htmlparser|micromark|mdast-util-from/.test(name))).toEqual([])
})
